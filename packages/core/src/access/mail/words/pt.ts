// The words of mails in Portuguese.
import type { MailWords } from './en.ts';

export const pt: MailWords = {
  subjects: {
    invitation: 'Você tem um convite para um painel de pagamentos',
    'sign-up': 'Seu cadastro em um gateway de pagamento',
    'password-link': 'Uma nova senha para a sua conta',
    'merchant-opened': 'Um comerciante se cadastrou',
    'sign-in-reset': 'Configure um novo segundo fator para a sua conta',
    'new-device': 'Novo acesso à sua conta',
    'password-changed': 'A sua senha foi mudada',
    'authenticator-changed': 'O autenticador da sua conta foi configurado de novo',
    'recovery-code-used': 'Um código de recuperação da sua conta foi usado',
    'recovery-codes-renewed': 'A sua conta tem novos códigos de recuperação',
    'passkey-added': 'Uma chave de acesso foi adicionada à sua conta',
    'passkey-removed': 'Uma chave de acesso da sua conta foi removida',
    'app-key-rotated': 'Um AppKey foi trocado',
    'payout-rules-changed': 'As regras de pagamento de um app foram mudadas',
    'webhook-changed': 'O destino dos webhooks de um app foi mudado',
    'tolerance-changed': 'A tolerância de um app foi mudada',
    'role-changed': 'Alguém tem outro papel em um lojista',
    'member-joined': 'Alguém entrou em um lojista',
  },
  roles: {
    owner: 'dono',
    admin: 'administrador',
    developer: 'desenvolvedor',
    finance: 'finanças',
    viewer: 'observador',
  },
  last: 'Nesta hora não é enviado mais nenhum e-mail deste tipo. O registro do painel tem todos.',
  sender: 'Este e-mail foi enviado pelo Ducat. As respostas não são lidas.',
  notYou:
    'Se não foi você: entre, encerre sob o seu nome todas as outras sessões e mude a sua senha. Se não puder, pergunte já ao operador do gateway.',
  when: 'Quando: {at}',
  from: 'De: {address}',
  with: 'Com: {browser}',
  unknownBrowser: 'um navegador desconhecido',
  toOperate: 'Você tem um convite para operar um gateway de pagamentos.',
  toMerchant: 'Você tem um convite para {merchant}, como {role}.',
  invites: 'Quem convida é {person}.',
  openLink: 'Abra este link para escolher uma senha. Vale uma vez, até {until}:',
  notAsked: 'Se não sabe do que se trata, não abra o link: sem você nada acontece.',
  signUp: 'Alguém quer abrir uma conta com este e-mail em um gateway de pagamento.',
  signUpKnown:
    'Alguém quis abrir uma conta com este e-mail em um gateway de pagamento. Já existe uma, e nada mudou.',
  signUpKnownNext: 'Se foi você, entre:',
  signUpKnownNotAsked: 'Se não foi você, não há nada a fazer.',
  passwordLink: 'Alguém pediu uma nova senha para a sua conta em um gateway de pagamento.',
  passwordLinkNotAsked:
    'Se não foi você, não abra o link: a sua senha fica como está. O segundo fator configurado para a sua conta é pedido além disso.',
  merchantOpened: '{person} se cadastrou e abriu o comerciante {merchant}.',
  merchantOpenedNext: 'Veja-o no painel e diga o que ele pode fazer:',
  resetDone:
    'O operador do gateway tirou o segundo fator da sua conta, {at}. Todas as suas sessões terminaram.',
  resetNext: 'Entre com a sua senha e configure um novo:',
  resetNotAsked: 'Se não pediu isto, não entre, e pergunte ao operador.',
  newDevice: 'Entrou na sua conta um navegador que não era visto nela há algum tempo, ou nunca.',
  passwordChanged: 'A senha da sua conta foi mudada. Todas as outras sessões terminaram.',
  authenticatorChanged:
    'Um autenticador foi configurado para a sua conta. O anterior não conta mais, nem os seus códigos de recuperação.',
  codeUsed: 'Um código de recuperação foi usado para entrar na sua conta. Códigos que restam: {count}.',
  codesRenewed: 'Foram criados novos códigos de recuperação para a sua conta. Os anteriores não contam mais.',
  passkeyAdded: 'A chave de acesso "{name}" foi adicionada à sua conta. Vale pelo código de um autenticador.',
  passkeyRemoved: 'A chave de acesso "{name}" foi removida da sua conta.',
  keyRotated: 'O AppKey do app "{app}" de {merchant} foi trocado por {person}.',
  keyNotMeant: 'Se não era a intenção, troque-o outra vez já: quem tem um AppKey pode pagar.',
  rulesChanged:
    '{person} mudou aquilo a que os pagamentos do app "{app}" de {merchant} obedecem: limites, lista de endereços ou códigos de uso único.',
  rulesNotMeant:
    'O que mudou exatamente está no registro do painel. Se não era a intenção, desfaça e veja quem pode administrar.',
  webhookChanged: '{person} mudou o endereço para o qual vão os webhooks do app "{app}" de {merchant}.',
  webhookNotMeant:
    'Se não era a intenção, desfaça já: quem lê os webhooks fica sabendo de cada pagamento, e a sua loja de nenhum.',
  toleranceChanged:
    '{person} mudou quanto pode faltar em um pedido do app "{app}" de {merchant} que conta como pago.',
  roleChanged: '{person} mudou o papel de {member} em {merchant}. Agora é: {role}.',
  memberRemoved: '{person} tirou {member} da equipe de {merchant}.',
  roleNotMeant: 'Se não era a intenção, desfaça e veja quem pode administrar.',
  memberJoined: '{member} aceitou um convite de {merchant}. O papel: {role}.',
  joinNotMeant: 'Se não era a intenção, retire a pessoa e veja quem pode administrar.',
};

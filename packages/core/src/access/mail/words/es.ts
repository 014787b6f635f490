// The words of mails in Spanish.
import type { MailWords } from './en.ts';

export const es: MailWords = {
  subjects: {
    invitation: 'Tiene una invitación a un panel de pagos',
    'sign-up': 'Su registro en una pasarela de pago',
    'password-link': 'Una contraseña nueva para su cuenta',
    'merchant-opened': 'Un comercio se ha registrado',
    'sign-in-reset': 'Configure un segundo factor nuevo para su cuenta',
    'new-device': 'Nuevo inicio de sesión en su cuenta',
    'password-changed': 'Se cambió su contraseña',
    'authenticator-changed': 'El autenticador de su cuenta se configuró de nuevo',
    'recovery-code-used': 'Se usó un código de recuperación de su cuenta',
    'recovery-codes-renewed': 'Su cuenta tiene códigos de recuperación nuevos',
    'passkey-added': 'Se añadió una llave de acceso a su cuenta',
    'passkey-removed': 'Se quitó una llave de acceso de su cuenta',
    'app-key-rotated': 'Se renovó un AppKey',
    'payout-rules-changed': 'Cambiaron las reglas de pago de una app',
    'webhook-changed': 'Cambió adónde van los webhooks de una app',
    'sources-changed': 'Cambió desde dónde se puede usar la API de una app',
    'tolerance-changed': 'Cambió la tolerancia de una app',
    'role-changed': 'Alguien tiene otro rol en un comercio',
    'member-joined': 'Alguien se ha unido a un comercio',
  },
  roles: {
    owner: 'propietario',
    admin: 'administrador',
    developer: 'desarrollador',
    finance: 'finanzas',
    viewer: 'observador',
  },
  last: 'En esta hora no se envía más correo de este tipo. El registro del panel los tiene todos.',
  sender: 'Este correo lo envió Ducat. Las respuestas no se leen.',
  notYou:
    'Si no fue usted: inicie sesión, cierre bajo su nombre todas las demás sesiones y cambie su contraseña. Si no puede, pregunte enseguida al operador de la pasarela.',
  when: 'Cuándo: {at}',
  from: 'Desde: {address}',
  with: 'Con: {browser}',
  unknownBrowser: 'un navegador desconocido',
  toOperate: 'Tiene una invitación para operar una pasarela de pagos.',
  toMerchant: 'Tiene una invitación a {merchant}, como {role}.',
  invites: 'Le invita {person}.',
  openLink: 'Abra este enlace para elegir una contraseña. Vale una vez, hasta {until}:',
  notAsked: 'Si no sabe de qué se trata, no abra el enlace: sin usted no pasa nada.',
  signUp: 'Alguien quiere abrir una cuenta con este correo en una pasarela de pago.',
  signUpKnown:
    'Alguien quiso abrir una cuenta con este correo en una pasarela de pago. Ya existe una y nada ha cambiado.',
  signUpKnownNext: 'Si fue usted, entre:',
  signUpKnownNotAsked: 'Si no fue usted, no tiene que hacer nada.',
  passwordLink: 'Alguien pidió una contraseña nueva para su cuenta en una pasarela de pago.',
  passwordLinkNotAsked:
    'Si no fue usted, no abra el enlace: su contraseña queda como está. Además se pide el segundo factor que su cuenta tenga configurado.',
  merchantOpened: '{person} se ha registrado y ha abierto el comercio {merchant}.',
  merchantOpenedNext: 'Mírelo en el panel y decida qué puede hacer:',
  resetDone:
    'El operador de la pasarela quitó el segundo factor de su cuenta, {at}. Se cerraron todas sus sesiones.',
  resetNext: 'Inicie sesión con su contraseña y configure uno nuevo:',
  resetNotAsked: 'Si no lo pidió, no inicie sesión y pregunte al operador.',
  newDevice:
    'Inició sesión en su cuenta un navegador que no se había visto en ella desde hace tiempo, o nunca.',
  passwordChanged: 'Se cambió la contraseña de su cuenta. Las demás sesiones terminaron.',
  authenticatorChanged:
    'Se configuró un autenticador para su cuenta. El anterior ya no cuenta, ni sus códigos de recuperación.',
  codeUsed: 'Se usó un código de recuperación para iniciar sesión en su cuenta. Códigos que quedan: {count}.',
  codesRenewed: 'Se crearon códigos de recuperación nuevos para su cuenta. Los anteriores ya no cuentan.',
  passkeyAdded: 'Se añadió la llave de acceso «{name}» a su cuenta. Vale como el código de un autenticador.',
  passkeyRemoved: 'Se quitó la llave de acceso «{name}» de su cuenta.',
  keyRotated: 'El AppKey de la app «{app}» de {merchant} lo renovó {person}.',
  keyNotMeant: 'Si no era la intención, renuévelo otra vez enseguida: quien tiene un AppKey puede pagar.',
  rulesChanged:
    '{person} cambió aquello a lo que se atienen los pagos de la app «{app}» de {merchant}: límites, lista de direcciones o códigos de un solo uso.',
  rulesNotMeant:
    'Qué cambió exactamente está en el registro del panel. Si no era la intención, deshágalo y mire quién puede administrar.',
  webhookChanged: '{person} cambió la dirección a la que van los webhooks de la app «{app}» de {merchant}.',
  webhookNotMeant:
    'Si no era la intención, deshágalo enseguida: quien lee los webhooks se entera de cada pago, y su tienda de ninguno.',
  sourcesChanged:
    '{person} cambió qué direcciones de red pueden usar la API de la app «{app}» de {merchant}.',
  toleranceChanged:
    '{person} cambió cuánto puede faltar en un pedido de la app «{app}» de {merchant} que cuenta como pagado.',
  roleChanged: '{person} cambió el rol de {member} en {merchant}. Ahora es: {role}.',
  memberRemoved: '{person} quitó a {member} del equipo de {merchant}.',
  roleNotMeant: 'Si no era la intención, deshágalo y mire quién puede administrar.',
  memberJoined: '{member} aceptó una invitación a {merchant}. Su rol: {role}.',
  joinNotMeant: 'Si no era la intención, quite a la persona y mire quién puede administrar.',
};

// The words of mails in French.
import type { MailWords } from './en.ts';

export const fr: MailWords = {
  subjects: {
    invitation: 'Vous êtes invité à un tableau de bord de paiements',
    'sign-up': 'Votre inscription à une passerelle de paiement',
    'password-link': 'Un nouveau mot de passe pour votre compte',
    'merchant-opened': "Un marchand s'est inscrit",
    'sign-in-reset': 'Configurez un nouveau second facteur pour votre compte',
    'new-device': 'Nouvelle connexion à votre compte',
    'password-changed': 'Votre mot de passe a été changé',
    'authenticator-changed': "L'authentificateur de votre compte a été reconfiguré",
    'recovery-code-used': 'Un code de secours de votre compte a été utilisé',
    'recovery-codes-renewed': 'Votre compte a de nouveaux codes de secours',
    'passkey-added': "Une clé d'accès a été ajoutée à votre compte",
    'passkey-removed': "Une clé d'accès de votre compte a été retirée",
    'app-key-rotated': 'Un AppKey a été renouvelé',
    'payout-rules-changed': "Les règles de paiement d'une app ont changé",
    'webhook-changed': "La destination des webhooks d'une app a changé",
    'sources-changed': "Les adresses qui peuvent utiliser l'API d'une app ont changé",
    'tolerance-changed': "La tolérance d'une app a changé",
    'role-changed': "Quelqu'un a un autre rôle chez un marchand",
    'member-joined': "Quelqu'un a rejoint un marchand",
  },
  roles: {
    owner: 'propriétaire',
    admin: 'admin',
    developer: 'développeur',
    finance: 'finance',
    viewer: 'lecteur',
  },
  last: "Aucun autre e-mail de ce type n'est envoyé pendant cette heure. Le journal du tableau de bord les a tous.",
  sender: 'Cet e-mail a été envoyé par Ducat. Les réponses ne sont pas lues.',
  notYou:
    "Si ce n'était pas vous : connectez-vous, terminez sous votre nom toutes les autres sessions et changez votre mot de passe. Si vous ne le pouvez pas, demandez tout de suite à l'opérateur de la passerelle.",
  when: 'Quand : {at}',
  from: 'Depuis : {address}',
  with: 'Avec : {browser}',
  unknownBrowser: 'un navigateur inconnu',
  toOperate: 'Vous êtes invité à opérer une passerelle de paiement.',
  toMerchant: 'Vous êtes invité chez {merchant}, comme {role}.',
  invites: '{person} vous invite.',
  openLink: "Ouvrez ce lien pour choisir un mot de passe. Il sert une fois, jusqu'au {until} :",
  notAsked: "Si vous ne savez pas de quoi il s'agit, n'ouvrez pas le lien : rien n'arrive sans vous.",
  signUp: "Quelqu'un veut ouvrir un compte avec cette adresse e-mail sur une passerelle de paiement.",
  signUpKnown:
    "Quelqu'un a voulu ouvrir un compte avec cette adresse e-mail sur une passerelle de paiement. Il en existe déjà un, et rien n'a changé.",
  signUpKnownNext: "Si c'était vous, connectez-vous :",
  signUpKnownNotAsked: "Si ce n'était pas vous, vous n'avez rien à faire.",
  passwordLink:
    "Quelqu'un a demandé un nouveau mot de passe pour votre compte sur une passerelle de paiement.",
  passwordLinkNotAsked:
    "Si ce n'était pas vous, n'ouvrez pas le lien : votre mot de passe reste tel quel. Le second facteur configuré pour votre compte est demandé en plus.",
  merchantOpened: "{person} s'est inscrit et a ouvert le marchand {merchant}.",
  merchantOpenedNext: "Regardez-le sur le tableau de bord, et dites ce qu'il peut faire :",
  resetDone:
    "L'opérateur de la passerelle a retiré le second facteur de votre compte, {at}. Vous êtes déconnecté partout.",
  resetNext: 'Connectez-vous avec votre mot de passe et configurez-en un nouveau :',
  resetNotAsked: "Si vous ne l'avez pas demandé, ne vous connectez pas, et demandez à l'opérateur.",
  newDevice:
    "Un navigateur qui n'y avait pas été vu depuis un moment, ou jamais, s'est connecté à votre compte.",
  passwordChanged: 'Le mot de passe de votre compte a été changé. Toutes les autres sessions ont pris fin.',
  authenticatorChanged:
    'Un authentificateur a été configuré pour votre compte. Le précédent ne compte plus, ni ses codes de secours.',
  codeUsed: 'Un code de secours a servi à se connecter à votre compte. Codes restants : {count}.',
  codesRenewed:
    'De nouveaux codes de secours ont été créés pour votre compte. Les précédents ne comptent plus.',
  passkeyAdded:
    "La clé d'accès « {name} » a été ajoutée à votre compte. Elle vaut le code d'un authentificateur.",
  passkeyRemoved: "La clé d'accès « {name} » a été retirée de votre compte.",
  keyRotated: "L'AppKey de l'app « {app} » de {merchant} a été renouvelé par {person}.",
  keyNotMeant: "Si ce n'était pas voulu, renouvelez-le encore tout de suite : qui a un AppKey peut payer.",
  rulesChanged:
    "{person} a changé ce à quoi les paiements de l'app « {app} » de {merchant} sont tenus : limites, liste d'adresses ou codes à usage unique.",
  rulesNotMeant:
    "Ce qui a changé exactement est dans le journal du tableau de bord. Si ce n'était pas voulu, revenez en arrière et regardez qui peut administrer.",
  webhookChanged:
    "{person} a changé l'adresse à laquelle vont les webhooks de l'app « {app} » de {merchant}.",
  webhookNotMeant:
    "Si ce n'était pas voulu, revenez en arrière tout de suite : qui lit les webhooks apprend chaque paiement, et votre boutique aucun.",
  sourcesChanged:
    "{person} a changé quelles adresses réseau peuvent utiliser l'API de l'app « {app} » de {merchant}.",
  toleranceChanged:
    "{person} a changé ce qui peut manquer à une commande de l'app « {app} » de {merchant} qui compte comme payée.",
  roleChanged: "{person} a changé le rôle de {member} chez {merchant}. C'est maintenant : {role}.",
  memberRemoved: "{person} a retiré {member} de l'équipe de {merchant}.",
  roleNotMeant: "Si ce n'était pas voulu, revenez en arrière et regardez qui peut administrer.",
  memberJoined: '{member} a accepté une invitation chez {merchant}. Son rôle : {role}.',
  joinNotMeant: "Si ce n'était pas voulu, retirez cette personne et regardez qui peut administrer.",
};

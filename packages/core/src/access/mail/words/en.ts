// The words of mails in English: what every other language says too, with the same places for names and numbers.

export const en = {
  subjects: {
    invitation: 'You are invited to a payment dashboard',
    'sign-up': 'Your sign-up at a payment gateway',
    'password-link': 'A new password for your account',
    'merchant-opened': 'A merchant signed up',
    'sign-in-reset': 'Set up a new second factor for your account',
    'new-device': 'New sign-in to your account',
    'password-changed': 'Your password was changed',
    'authenticator-changed': 'The authenticator of your account was set up anew',
    'recovery-code-used': 'A recovery code of your account was used',
    'recovery-codes-renewed': 'Your account has new recovery codes',
    'passkey-added': 'A passkey was added to your account',
    'passkey-removed': 'A passkey of your account was removed',
    'app-key-rotated': 'An AppKey was rotated',
    'payout-rules-changed': 'Payout rules of an app were changed',
    'webhook-changed': 'Where webhooks of an app go was changed',
    'sources-changed': 'Where the API of an app may be called from was changed',
    'tolerance-changed': 'The tolerance of an app was changed',
    'role-changed': 'Somebody has another role at a merchant',
    'member-joined': 'Somebody joined a merchant',
  },
  roles: { owner: 'owner', admin: 'admin', developer: 'developer', finance: 'finance', viewer: 'viewer' },
  last: 'No further mail of this kind is sent within this hour. The audit log on the dashboard has them all.',
  sender: 'This mail was sent by Ducat. Replies are not read.',
  notYou:
    'If this was not you: sign in, end all other sessions under your name, and change your password. If you cannot, ask the operator of the gateway at once.',
  when: 'When: {at}',
  from: 'From: {address}',
  with: 'With: {browser}',
  unknownBrowser: 'a browser that is not known',
  toOperate: 'You are invited to operate a payment gateway.',
  toMerchant: 'You are invited to {merchant} as {role}.',
  invites: '{person} invites you.',
  openLink: 'Open this link to choose a password. It works once, until {until}:',
  notAsked: 'If you do not know what this is about, do not open the link: nothing happens without you.',
  signUp: 'Somebody wants to open an account with this e-mail at a payment gateway.',
  signUpKnown:
    'Somebody wanted to open an account with this e-mail at a payment gateway. There is one already, and nothing has changed.',
  signUpKnownNext: 'If this was you, sign in:',
  signUpKnownNotAsked: 'If this was not you, there is nothing to do.',
  passwordLink: 'Somebody asked for a new password for your account at a payment gateway.',
  passwordLinkNotAsked:
    'If this was not you, do not open the link: your password stays as it is. A second factor that is set up for your account is asked for besides.',
  merchantOpened: '{person} has signed up and opened the merchant {merchant}.',
  merchantOpenedNext: 'Look at it on the dashboard, and say what it may do:',
  resetDone:
    'The operator of the gateway took the second factor of your account away, {at}. You are signed out everywhere.',
  resetNext: 'Sign in with your password and set up a new one:',
  resetNotAsked: 'If you did not ask for this, do not sign in, and ask the operator.',
  newDevice:
    'Your account was signed in to by a browser that was not seen with it for a while, or never before.',
  passwordChanged: 'The password of your account was changed. All other sessions have ended.',
  authenticatorChanged:
    'An authenticator was set up for your account. One that was there before does not count any more, nor do its recovery codes.',
  codeUsed: 'A recovery code was used to sign in to your account. {count} are left.',
  codesRenewed: 'New recovery codes were made for your account. The ones before do not count any more.',
  passkeyAdded: 'The passkey "{name}" was added to your account. It stands for the code of an authenticator.',
  passkeyRemoved: 'The passkey "{name}" was removed from your account.',
  keyRotated: 'The AppKey of the app "{app}" of {merchant} was rotated by {person}.',
  keyNotMeant: 'If this was not meant, rotate it again at once: who has an AppKey can pay out.',
  rulesChanged:
    '{person} changed what payouts of the app "{app}" of {merchant} are held to: limits, the address list or one-time codes.',
  rulesNotMeant:
    'What exactly was changed stands in the audit log on the dashboard. If it was not meant, change it back, and look who may administer.',
  webhookChanged: '{person} changed the address that webhooks of the app "{app}" of {merchant} go to.',
  webhookNotMeant:
    'If this was not meant, change it back at once: who reads webhooks learns of every payment, and your shop learns of none.',
  sourcesChanged:
    '{person} changed which network addresses may use the API of the app "{app}" of {merchant}.',
  toleranceChanged:
    '{person} changed how much may be missing of an order of the app "{app}" of {merchant} that counts as paid.',
  roleChanged: '{person} changed the role of {member} at {merchant}. It is now: {role}.',
  memberRemoved: '{person} took {member} off the people of {merchant}.',
  roleNotMeant: 'If this was not meant, change it back, and look who may administer.',
  memberJoined: '{member} accepted an invitation to {merchant}. The role: {role}.',
  joinNotMeant: 'If this was not meant, remove the person, and look who may administer.',
} as const;

type Text<T> = { readonly [K in keyof T]: T[K] extends string ? string : Text<T[K]> };
export type MailWords = Text<typeof en>;

// The words of mails in German.
import type { MailWords } from './en.ts';

export const de: MailWords = {
  subjects: {
    invitation: 'Sie sind zu einem Zahlungs-Dashboard eingeladen',
    'sign-up': 'Ihre Registrierung bei einem Zahlungs-Gateway',
    'password-link': 'Ein neues Passwort für Ihr Konto',
    'merchant-opened': 'Ein Händler hat sich registriert',
    'sign-in-reset': 'Richten Sie einen neuen zweiten Faktor für Ihr Konto ein',
    'new-device': 'Neue Anmeldung an Ihrem Konto',
    'password-changed': 'Ihr Passwort wurde geändert',
    'authenticator-changed': 'Der Authenticator Ihres Kontos wurde neu eingerichtet',
    'recovery-code-used': 'Ein Wiederherstellungscode Ihres Kontos wurde benutzt',
    'recovery-codes-renewed': 'Ihr Konto hat neue Wiederherstellungscodes',
    'passkey-added': 'Ein Passkey wurde Ihrem Konto hinzugefügt',
    'passkey-removed': 'Ein Passkey Ihres Kontos wurde entfernt',
    'app-key-rotated': 'Ein AppKey wurde gewechselt',
    'payout-rules-changed': 'Auszahlungsregeln einer App wurden geändert',
    'webhook-changed': 'Wohin Webhooks einer App gehen, wurde geändert',
    'sources-changed': 'Von wo die API einer App genutzt werden darf, wurde geändert',
    'tolerance-changed': 'Die Toleranz einer App wurde geändert',
    'role-changed': 'Jemand hat bei einem Händler eine andere Rolle',
    'member-joined': 'Jemand ist einem Händler beigetreten',
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Admin',
    developer: 'Entwickler',
    finance: 'Finanzen',
    viewer: 'Betrachter',
  },
  last: 'In dieser Stunde kommt keine weitere Mail dieser Art. Im Protokoll des Dashboards stehen alle.',
  sender: 'Diese Mail hat Ducat gesendet. Antworten werden nicht gelesen.',
  notYou:
    'Wenn Sie das nicht waren: Melden Sie sich an, beenden Sie unter Ihrem Namen alle anderen Sitzungen, und ändern Sie Ihr Passwort. Wenn Sie das nicht können, fragen Sie sofort den Betreiber des Gateways.',
  when: 'Wann: {at}',
  from: 'Von: {address}',
  with: 'Womit: {browser}',
  unknownBrowser: 'ein unbekannter Browser',
  toOperate: 'Sie sind eingeladen, ein Zahlungs-Gateway zu betreiben.',
  toMerchant: 'Sie sind zu {merchant} eingeladen, als {role}.',
  invites: '{person} lädt Sie ein.',
  openLink: 'Öffnen Sie diesen Link, um ein Passwort zu wählen. Er gilt einmal, bis {until}:',
  notAsked: 'Wenn Sie nicht wissen, worum es geht, öffnen Sie den Link nicht: Ohne Sie geschieht nichts.',
  signUp: 'Jemand möchte mit dieser E-Mail-Adresse ein Konto bei einem Zahlungs-Gateway eröffnen.',
  signUpKnown:
    'Jemand wollte mit dieser E-Mail-Adresse ein Konto bei einem Zahlungs-Gateway eröffnen. Es gibt schon eines, und nichts hat sich geändert.',
  signUpKnownNext: 'Wenn Sie das waren, melden Sie sich an:',
  signUpKnownNotAsked: 'Wenn Sie das nicht waren, müssen Sie nichts tun.',
  passwordLink: 'Jemand hat für Ihr Konto bei einem Zahlungs-Gateway ein neues Passwort verlangt.',
  passwordLinkNotAsked:
    'Wenn Sie das nicht waren, öffnen Sie den Link nicht: Ihr Passwort bleibt, wie es ist. Ein zweiter Faktor, der für Ihr Konto eingerichtet ist, wird außerdem verlangt.',
  merchantOpened: '{person} hat sich registriert und den Händler {merchant} eröffnet.',
  merchantOpenedNext: 'Sehen Sie ihn sich im Dashboard an, und legen Sie fest, was er darf:',
  resetDone:
    'Der Betreiber des Gateways hat den zweiten Faktor Ihres Kontos weggenommen, {at}. Sie sind überall abgemeldet.',
  resetNext: 'Melden Sie sich mit Ihrem Passwort an, und richten Sie einen neuen ein:',
  resetNotAsked:
    'Wenn Sie nicht darum gebeten haben, melden Sie sich nicht an, und fragen Sie den Betreiber.',
  newDevice:
    'An Ihrem Konto hat sich ein Browser angemeldet, der dort seit einer Weile nicht oder noch nie gesehen wurde.',
  passwordChanged: 'Das Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
  authenticatorChanged:
    'Für Ihr Konto wurde ein Authenticator eingerichtet. Ein früherer zählt nicht mehr, und seine Wiederherstellungscodes auch nicht.',
  codeUsed:
    'Mit einem Wiederherstellungscode hat sich jemand an Ihrem Konto angemeldet. Übrige Codes: {count}.',
  codesRenewed: 'Für Ihr Konto wurden neue Wiederherstellungscodes erzeugt. Die früheren zählen nicht mehr.',
  passkeyAdded:
    'Der Passkey „{name}“ wurde Ihrem Konto hinzugefügt. Er steht für den Code eines Authenticators.',
  passkeyRemoved: 'Der Passkey „{name}“ wurde aus Ihrem Konto entfernt.',
  keyRotated: 'Der AppKey der App „{app}“ von {merchant} wurde von {person} gewechselt.',
  keyNotMeant:
    'Wenn das nicht gewollt war, wechseln Sie ihn sofort noch einmal: Wer einen AppKey hat, kann auszahlen.',
  rulesChanged:
    '{person} hat geändert, woran Auszahlungen der App „{app}“ von {merchant} gebunden sind: Grenzen, Adressliste oder Einmalcodes.',
  rulesNotMeant:
    'Was genau geändert wurde, steht im Protokoll des Dashboards. Wenn es nicht gewollt war, machen Sie es rückgängig, und sehen Sie nach, wer verwalten darf.',
  webhookChanged: '{person} hat die Adresse geändert, an die Webhooks der App „{app}“ von {merchant} gehen.',
  webhookNotMeant:
    'Wenn das nicht gewollt war, machen Sie es sofort rückgängig: Wer Webhooks liest, erfährt von jeder Zahlung, und Ihr Shop von keiner.',
  sourcesChanged:
    '{person} hat geändert, welche Netzadressen die API der App „{app}“ von {merchant} nutzen dürfen.',
  toleranceChanged:
    '{person} hat geändert, wie viel bei einer Bestellung der App „{app}“ von {merchant} fehlen darf, die als bezahlt gilt.',
  roleChanged: '{person} hat die Rolle von {member} bei {merchant} geändert. Sie ist jetzt: {role}.',
  memberRemoved: '{person} hat {member} aus dem Team von {merchant} entfernt.',
  roleNotMeant:
    'Wenn das nicht gewollt war, machen Sie es rückgängig, und sehen Sie nach, wer verwalten darf.',
  memberJoined: '{member} hat eine Einladung zu {merchant} angenommen. Die Rolle: {role}.',
  joinNotMeant:
    'Wenn das nicht gewollt war, entfernen Sie die Person, und sehen Sie nach, wer verwalten darf.',
};

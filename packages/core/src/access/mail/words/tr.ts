// The words of mails in Turkish.
import type { MailWords } from './en.ts';

export const tr: MailWords = {
  subjects: {
    invitation: 'Bir ödeme paneline davet edildiniz',
    'sign-up': 'Bir ödeme ağ geçidine kaydınız',
    'password-link': 'Hesabınız için yeni bir parola',
    'merchant-opened': 'Bir işletme kaydoldu',
    'sign-in-reset': 'Hesabınız için yeni bir ikinci faktör kurun',
    'new-device': 'Hesabınızda yeni oturum açıldı',
    'password-changed': 'Parolanız değiştirildi',
    'authenticator-changed': 'Hesabınızın doğrulayıcısı yeniden kuruldu',
    'recovery-code-used': 'Hesabınızın bir kurtarma kodu kullanıldı',
    'recovery-codes-renewed': 'Hesabınızın yeni kurtarma kodları var',
    'passkey-added': 'Hesabınıza bir geçiş anahtarı eklendi',
    'passkey-removed': 'Hesabınızın bir geçiş anahtarı kaldırıldı',
    'app-key-rotated': 'Bir AppKey yenilendi',
    'payout-rules-changed': 'Bir uygulamanın ödeme kuralları değiştirildi',
    'webhook-changed': 'Bir uygulamanın webhook adresi değiştirildi',
    'tolerance-changed': 'Bir uygulamanın toleransı değiştirildi',
    'role-changed': 'Birinin bir işyerindeki rolü değişti',
  },
  roles: {
    owner: 'sahip',
    admin: 'yönetici',
    developer: 'geliştirici',
    finance: 'finans',
    viewer: 'izleyici',
  },
  last: 'Bu saat içinde bu türden başka posta gönderilmez. Hepsi paneldeki günlüktedir.',
  sender: 'Bu postayı Ducat gönderdi. Yanıtlar okunmaz.',
  notYou:
    'Bu siz değilseniz: oturum açın, adınızın altındaki bütün öteki oturumları kapatın ve parolanızı değiştirin. Yapamıyorsanız hemen ağ geçidinin işleticisine sorun.',
  when: 'Ne zaman: {at}',
  from: 'Nereden: {address}',
  with: 'Neyle: {browser}',
  unknownBrowser: 'bilinmeyen bir tarayıcı',
  toOperate: 'Bir ödeme ağ geçidini işletmeye davet edildiniz.',
  toMerchant: '{merchant} sizi davet ediyor. Rolünüz: {role}.',
  invites: 'Davet eden: {person}.',
  openLink: 'Parola seçmek için bu bağlantıyı açın. Bir kez geçerlidir, son zaman {until}:',
  notAsked: 'Bunun ne olduğunu bilmiyorsanız bağlantıyı açmayın: siz olmadan hiçbir şey olmaz.',
  signUp: 'Biri bu e-posta ile bir ödeme ağ geçidinde hesap açmak istiyor.',
  signUpKnown:
    'Biri bu e-posta ile bir ödeme ağ geçidinde hesap açmak istedi. Böyle bir hesap zaten var ve hiçbir şey değişmedi.',
  signUpKnownNext: 'Bu sizseniz giriş yapın:',
  signUpKnownNotAsked: 'Bu siz değilseniz yapmanız gereken bir şey yok.',
  passwordLink: 'Biri bir ödeme ağ geçidindeki hesabınız için yeni bir parola istedi.',
  passwordLinkNotAsked:
    'Bu siz değilseniz bağlantıyı açmayın: parolanız olduğu gibi kalır. Hesabınız için kurulmuş ikinci faktör ayrıca istenir.',
  merchantOpened: '{person} kaydoldu ve {merchant} işletmesini açtı.',
  merchantOpenedNext: 'Panelden bakın ve neler yapabileceğini belirleyin:',
  resetDone:
    'Ağ geçidinin işleticisi hesabınızın ikinci faktörünü kaldırdı, {at}. Bütün oturumlarınız kapandı.',
  resetNext: 'Parolanızla oturum açın ve yenisini kurun:',
  resetNotAsked: 'Bunu siz istemediyseniz oturum açmayın ve işleticiye sorun.',
  newDevice: 'Hesabınızda bir süredir ya da hiç görülmemiş bir tarayıcıyla oturum açıldı.',
  passwordChanged: 'Hesabınızın parolası değiştirildi. Bütün öteki oturumlar kapandı.',
  authenticatorChanged: 'Hesabınız için bir doğrulayıcı kuruldu. Önceki artık geçmez, kurtarma kodları da.',
  codeUsed: 'Hesabınızda bir kurtarma koduyla oturum açıldı. Kalan kodlar: {count}.',
  codesRenewed: 'Hesabınız için yeni kurtarma kodları oluşturuldu. Öncekiler artık geçmez.',
  passkeyAdded: 'Hesabınıza "{name}" geçiş anahtarı eklendi. Doğrulayıcı kodunun yerine geçer.',
  passkeyRemoved: '"{name}" geçiş anahtarı hesabınızdan kaldırıldı.',
  keyRotated: '{merchant} için "{app}" uygulamasının AppKey değeri yenilendi. Yapan: {person}.',
  keyNotMeant: 'Böyle istenmediyse hemen yeniden yenileyin: AppKey kimdeyse ödeme yapabilir.',
  rulesChanged:
    '{merchant} için "{app}" uygulamasının ödemelerini bağlayan kurallar değişti: sınırlar, adres listesi ya da tek kullanımlık kodlar. Yapan: {person}.',
  rulesNotMeant:
    'Tam olarak neyin değiştiği paneldeki günlüktedir. Böyle istenmediyse geri alın ve kimlerin yönetebildiğine bakın.',
  webhookChanged: '{merchant} için "{app}" uygulamasının webhook adresi değiştirildi. Yapan: {person}.',
  webhookNotMeant:
    'Böyle istenmediyse hemen geri alın: webhookları okuyan her ödemeyi öğrenir, mağazanız ise hiçbirini öğrenmez.',
  toleranceChanged:
    '{merchant} için "{app}" uygulamasının ödenmiş sayılan bir siparişinde ne kadar eksik kalabileceği değiştirildi. Yapan: {person}.',
  roleChanged: '{merchant} için {member} kişisinin rolü değiştirildi. Şimdi: {role}. Yapan: {person}.',
  memberRemoved: '{member} kişisi {merchant} ekibinden çıkarıldı. Yapan: {person}.',
  roleNotMeant: 'Böyle istenmediyse geri alın ve kimlerin yönetebildiğine bakın.',
};

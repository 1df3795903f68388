/**
 * Hindi, Urdu, Persian, Arabic and Sorani as they are typed in Latin letters. No model knows them, so each would be taken for
 * whatever Latin language looks a little like it. For such a text no language is reported.
 */
import type { Profile } from './profile.ts'

/** True for the codes of these profiles, which are not reported. */
export function isRomanised(code: string): boolean {
  return code.endsWith('-Latn')
}

export const ROMANISED_PROFILES: readonly Profile[] = [
  {
    code: 'hi-Latn',
    letters: '',
    words:
      'hai hain he h hu hun hoon ho tha thi the nahi nahin nai nhi nhe kya kyu kyun kyo kyon kaise kaisa kaisi kese kab kaha kahan kaun kon kitna kitni kitne mai main mein me mera meri mere mujhe mujhko mujhse tum tu tumhara tumhari tumhe tumko tujhe tera teri tere aap ap aapka aapki aapke aapko apna apni apne hum ham humara hamara hamari hame humko unka unki uska uski uske usko usse use isko iska iski iske isse inka inko ye yeh wo woh vo yaha yahan waha wahan jaha ab abhi kabhi jab tab tak phir fir bhi hi na to toh ki ka ke ko se par pe pr aur or ya lekin magar agar warna kyunki isliye islie liye lie liya kar karo karna karta karte karti karke karunga karungi kiya kr kro krna krte krta krti raha rahi rahe rha rhi rhe gaya gayi gaye gya gyi diya diye dena deta deti de do lo lena le li leke jata jati jate jana jaa ja jao jaye jayega aana aa aao aaya aayi aaye ata ati aate hota hoti hote hona hoga hogi hoge hua hui hue ho sakta sakti sakte saka wala wali wale walo sab sabhi sabko kuch kuchh koi kisi kisko bahut bhut bohot bahot thoda thodi zyada jyada jada accha acha achha achi ache theek thik sahi galat bura kharab sach jhooth baat bat baate bol bolo bola bolna bolte bata batao batana bta btao suno sun dekh dekho dekha dekhna dekhte soch socha samajh samjho pata pta malum yaad yad dil pyar pyaar ishq mohabbat zindagi jindagi dost yaar yar bhai bhaiya behen didi mummy papa beta beti ladka ladki ladke log logo logon aadmi insaan ghar kaam kam din raat subah shaam kal aaj aj parso saal mahina samay waqt paisa paise rupaye desh bharat sarkar modi ji haan han ha nahi mat bas bs sirf bilkul jaldi der pehle pahle baad saath sath pass paas andar bahar upar niche wapas ek ik teen char paanch das sau hazar lakh crore namaste namaskar shukriya dhanyavad kripya jai shri ram bhagwan allah mashallah inshallah aisa aise waisa vaise jaisa jaise itna itni utna milna mila mile milta milke chal chalo chala chalte khana khaya kha pani chai so sona gana gaana kyuki tmhe tmhara mjhe mko muje tumne maine mene usne humne kisne',
    endings: 'unga ungi oge enge kar ega egi iye iyo ta ti te na ne wala wali wale aya ayi aye',
  },
  {
    code: 'fa-Latn',
    letters: '',
    words:
      'salam khubi khoobi chetori chetor halet man to shoma ma oona in un oon ast hast nist hastam hasti hastim nistam mikonam mikoni mikone mikonim mikonan kardam kard kardan mikhoam mikham mikhay mikhad miram miri mire biya boro bia baba dadash dooset doost daram dari dare darim nadaram ke ba az be dar baraye barai ham ya va vali ama ageh age chon chera chi chieh kojast koja kodom kiye kheyli kheili khob khoob bad merci mamnoon mersi khahesh lotfan bale are na emrooz emruz farda dirooz shab rooz sobh khodahafez khoda hala alan hamin hamishe hich hichi hame digeh dige bayad mishe nemishe nemidoonam midoonam midunam goft gofti begoo iran irani tehran farsi azizam jan joon eshgh delam zendegi',
    endings: 'am idam idim and esh eto emun etun ha hash',
  },
  {
    code: 'ar-Latn',
    letters: '',
    words:
      'ana enta enti inta inti howa huwa heya hiya ehna nahna homa salam alaykum assalamu aleikum wa alaikum marhaba ahlan habibi habibti habiby yalla inshallah insha wallah wallahi hamdulillah alhamdulillah mashallah subhanallah kifak kifik keef kif izayak ezayak shlonak shlonik shu shou eh leh lesh leish mish msh mesh mafi fi fih kan kanet bas lakin aw walla illa law lamma mata emta wein wen fein feen meen min mn ma la aywa aiwa naam ya el al il w da di dah deh hada haza hadi hay hek keda kda awi kteer kitir ktir kulu kol kull kulluna bokra bukra elyom alyom al-youm nharda embareh delwa2ty hala2 hal2 shukran afwan 3an ala 3ala rabbi rabbena allah',
    endings: 'tak tik ak ik na kum hum een een uun ooh',
  },
  {
    code: 'ckb-Latn',
    letters: '',
    words:
      'slaw choni chonit bashi bashm min to ewa ema ewan am aw la bo ba ka lagal naw nawi kurd kurdi kurdistan hawler slemani zor supas dast xosh xoshm bayani ewara chi chiya kwe kwey bochi key chon balam yan ja eista esta hamu kas kes haya niya nia nya dakam daka dakain dakan dayka kird krd bkam bka bkain bzanm azanm nazanm dazanm har hich shtek shit roj shaw sal mang mal dil gyan gyanm bra khwa xwa xwam xwat xoy xom jwan gawra bchuk',
    endings: 'akan aka eki yaka akani ekm',
  },
]

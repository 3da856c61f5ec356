// Written by scripts/date-words.ts; change that, not this.

/** The months and weekdays of one language, in lower case, with blanks between them. */
export interface DateWords {
  language: string;
  months: string;
  days: string;
}

/** As CLDR has them: alone and in a date, long and short. */
export const DATE_WORDS: readonly DateWords[] = [
  {
    language: "af",
    months:
      "januarie februarie maart april mei junie julie augustus september oktober november desember jan feb mrt apr jun jul aug sep okt nov des",
    days: "sondag maandag dinsdag woensdag donderdag vrydag saterdag",
  },
  {
    language: "ar",
    months: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    days: "الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
  },
  {
    language: "az",
    months:
      "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr yan fev mar apr iyn iyl avq sen okt noy dek",
    days: "bazar çərşənbə cümə şənbə",
  },
  {
    language: "be",
    months:
      "студзень студзеня люты лютага сакавік сакавіка красавік красавіка май мая чэрвень чэрвеня ліпень ліпеня жнівень жніўня верасень верасня кастрычнік кастрычніка лістапад лістапада снежань снежня сту лют сак кра чэр ліп жні вер кас ліс сне",
    days: "нядзеля панядзелак аўторак серада чацвер пятніца субота",
  },
  {
    language: "bg",
    months: "януари февруари март април май юни юли август септември октомври ноември декември",
    days: "неделя понеделник вторник сряда четвъртък петък събота",
  },
  {
    language: "bn",
    months:
      "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর জানু ফেব এপ্রি জুল আগ সেপ্ট সেপ অক্টো নভে ডিসে",
    days: "রবিবার সোমবার মঙ্গলবার বুধবার বৃহস্পতিবার শুক্রবার শনিবার রবি সোম মঙ্গল বুধ বৃহস্পতি শুক্র শনি",
  },
  {
    language: "ca",
    months:
      "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre gen febr abr jul ag set oct nov des",
    days: "diumenge dilluns dimarts dimecres dijous divendres dissabte",
  },
  {
    language: "cs",
    months:
      "leden ledna únor února březen března duben dubna květen května červen června červenec července srpen srpna září říjen října listopad listopadu prosinec prosince led úno bře dub kvě čvn čvc srp zář říj lis pro",
    days: "neděle pondělí úterý středa čtvrtek pátek sobota",
  },
  {
    language: "cy",
    months:
      "ionawr chwefror mawrth ebrill mai mehefin gorffennaf awst medi hydref tachwedd rhagfyr ion chw chwef maw ebr meh gor gorff hyd tach rhag",
    days: "sul llun maw mer iau gwe sad",
  },
  {
    language: "da",
    months:
      "januar februar marts april maj juni juli august september oktober november december jan feb mar apr jun jul aug sep okt nov dec",
    days: "søndag mandag tirsdag onsdag torsdag fredag lørdag søn man tirs ons tors fre lør",
  },
  {
    language: "de",
    months:
      "januar februar märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul aug sep sept okt nov dez",
    days: "sonntag montag dienstag mittwoch donnerstag freitag samstag",
  },
  {
    language: "el",
    months:
      "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    days: "κυριακή δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυρ δευ τρί τετ πέμ παρ σάβ",
  },
  {
    language: "en",
    months:
      "january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec",
    days: "sunday monday tuesday wednesday thursday friday saturday sun mon tue wed thu fri sat",
  },
  {
    language: "es",
    months:
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene feb mar abr may jun jul ago sept oct nov dic",
    days: "domingo lunes martes miércoles jueves viernes sábado dom lun mar mié jue vie sáb",
  },
  {
    language: "et",
    months:
      "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember jaan veebr apr aug sept okt nov dets",
    days: "pühapäev esmaspäev teisipäev kolmapäev neljapäev reede laupäev",
  },
  {
    language: "eu",
    months:
      "urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua urt ots mar api mai eka uzt abu ira urr aza abe",
    days: "igandea astelehena asteartea asteazkena osteguna ostirala larunbata",
  },
  {
    language: "fa",
    months: "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    days: "یکشنبه دوشنبه سه‌شنبه چهارشنبه پنجشنبه جمعه شنبه",
  },
  {
    language: "fi",
    months:
      "tammikuu tammikuuta helmikuu helmikuuta maaliskuu maaliskuuta huhtikuu huhtikuuta toukokuu toukokuuta kesäkuu kesäkuuta heinäkuu heinäkuuta elokuu elokuuta syyskuu syyskuuta lokakuu lokakuuta marraskuu marraskuuta joulukuu joulukuuta tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
    days: "sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai",
  },
  {
    language: "fil",
    months:
      "enero pebrero marso abril mayo hunyo hulyo agosto setyembre oktubre nobyembre disyembre ene peb mar abr may hun hul ago set okt nob dis",
    days: "linggo lunes martes miyerkules huwebes biyernes sabado lin lun mar miy huw biy sab",
  },
  {
    language: "fr",
    months:
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre janv févr avr juil sept oct nov déc",
    days: "dimanche lundi mardi mercredi jeudi vendredi samedi dim lun mar mer jeu ven sam",
  },
  {
    language: "ga",
    months:
      "eanáir feabhra márta aibreán bealtaine meitheamh iúil lúnasa samhain nollaig ean feabh aib beal meith lún mfómh dfómh samh noll",
    days: "déardaoin domh luan máirt céad déar aoine sath",
  },
  {
    language: "gl",
    months:
      "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro xan feb mar abr xul ago set out nov dec",
    days: "domingo luns martes mércores xoves venres sábado dom mar mér xov ven sáb",
  },
  {
    language: "gu",
    months: "જાન્યુઆરી ફેબ્રુઆરી માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર ઑક્ટોબર નવેમ્બર ડિસેમ્બર જાન્યુ ફેબ્રુ સપ્ટે ઑક્ટો નવે ડિસે",
    days: "રવિવાર સોમવાર મંગળવાર બુધવાર ગુરુવાર શુક્રવાર શનિવાર રવિ સોમ મંગળ બુધ ગુરુ શુક્ર શનિ",
  },
  {
    language: "he",
    months: "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    days: "שבת",
  },
  {
    language: "hi",
    months: "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    days: "रविवार सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रवि सोम मंगल बुध गुरु शुक्र शनि",
  },
  {
    language: "hr",
    months:
      "siječanj siječnja veljača veljače ožujak ožujka travanj travnja svibanj svibnja lipanj lipnja srpanj srpnja kolovoz kolovoza rujan rujna listopad listopada studeni studenoga prosinac prosinca sij velj ožu tra svi lip srp kol ruj lis stu pro",
    days: "nedjelja ponedjeljak utorak srijeda četvrtak petak subota ned pon uto sri čet pet sub",
  },
  {
    language: "hu",
    months:
      "január február március április május június július augusztus szeptember október november december jan febr márc ápr máj jún júl aug szept okt nov dec",
    days: "vasárnap hétfő kedd szerda csütörtök péntek szombat sze szo",
  },
  {
    language: "hy",
    months:
      "հունվար հունվարի փետրվար փետրվարի մարտ մարտի ապրիլ ապրիլի մայիս մայիսի հունիս հունիսի հուլիս հուլիսի օգոստոս օգոստոսի սեպտեմբեր սեպտեմբերի հոկտեմբեր հոկտեմբերի նոյեմբեր նոյեմբերի դեկտեմբեր դեկտեմբերի հնվ փտվ մրտ ապր մյս հնս հլս օգս սեպ հոկ նոյ դեկ",
    days: "կիրակի երկուշաբթի երեքշաբթի չորեքշաբթի հինգշաբթի ուրբաթ շաբաթ կիր երկ երք չրք հնգ ուր շբթ",
  },
  {
    language: "id",
    months:
      "januari februari maret april mei juni juli agustus september oktober november desember jan feb mar apr jun jul agu sep okt nov des",
    days: "minggu senin selasa rabu kamis jumat sabtu min sen sel rab kam jum sab",
  },
  {
    language: "is",
    months:
      "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember jan feb mar apr jún júl ágú sep okt nóv des",
    days: "sunnudagur mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur sun mán þri mið fim fös lau",
  },
  {
    language: "it",
    months:
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre gen feb mar apr mag giu lug ago set ott nov dic",
    days: "domenica lunedì martedì mercoledì giovedì venerdì sabato dom lun mar mer gio ven sab",
  },
  {
    language: "ka",
    months:
      "იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი დეკემბერი იან თებ მარ აპრ მაი ივნ ივლ აგვ სექ ოქტ ნოე დეკ",
    days: "კვირა ორშაბათი სამშაბათი ოთხშაბათი ხუთშაბათი პარასკევი შაბათი კვი ორშ სამ ოთხ ხუთ პარ შაბ",
  },
  {
    language: "kk",
    months:
      "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан қаң ақп нау сәу мам мау шіл там қыр қаз қар жел",
    days: "жексенбі дүйсенбі сейсенбі сәрсенбі бейсенбі жұма сенбі",
  },
  {
    language: "kn",
    months: "ಜನವರಿ ಫೆಬ್ರವರಿ ಮಾರ್ಚ್ ಏಪ್ರಿಲ್ ಮೇ ಜೂನ್ ಜುಲೈ ಆಗಸ್ಟ್ ಸೆಪ್ಟೆಂಬರ್ ಅಕ್ಟೋಬರ್ ನವೆಂಬರ್ ಡಿಸೆಂಬರ್ ಜನ ಫೆಬ್ರ ಏಪ್ರಿ ಆಗ ಸೆಪ್ಟೆಂ ಅಕ್ಟೋ ನವೆಂ ಡಿಸೆಂ",
    days: "ಭಾನುವಾರ ಸೋಮವಾರ ಮಂಗಳವಾರ ಬುಧವಾರ ಗುರುವಾರ ಶುಕ್ರವಾರ ಶನಿವಾರ ಭಾನು ಸೋಮ ಮಂಗಳ ಬುಧ ಗುರು ಶುಕ್ರ ಶನಿ",
  },
  {
    language: "lt",
    months:
      "sausis sausio vasaris vasario kovas kovo balandis balandžio gegužė gegužės birželis birželio liepa liepos rugpjūtis rugpjūčio rugsėjis rugsėjo spalis spalio lapkritis lapkričio gruodis gruodžio",
    days: "sekmadienis pirmadienis antradienis trečiadienis ketvirtadienis penktadienis šeštadienis",
  },
  {
    language: "lv",
    months:
      "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris janv febr apr jūn jūl aug sept okt nov dec",
    days: "svētdiena pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētd pirmd otrd trešd ceturtd piektd sestd",
  },
  {
    language: "mk",
    months:
      "јануари февруари март април мај јуни јули август септември октомври ноември декември јан фев мар апр јун јул авг сеп окт ное дек",
    days: "недела понеделник вторник среда четврток петок сабота нед пон вто сре чет пет саб",
  },
  {
    language: "ml",
    months:
      "ജനുവരി ഫെബ്രുവരി മാർച്ച് ഏപ്രിൽ മേയ് ജൂൺ ജൂലൈ ഓഗസ്റ്റ് സെപ്റ്റംബർ ഒക്‌ടോബർ നവംബർ ഡിസംബർ ജനു ഫെബ്രു മാർ ഏപ്രി ഓഗ സെപ്റ്റം ഒക്ടോ നവം ഡിസം",
    days: "ഞായറാഴ്‌ച തിങ്കളാഴ്‌ച ചൊവ്വാഴ്‌ച ബുധനാഴ്‌ച വ്യാഴാഴ്‌ച വെള്ളിയാഴ്‌ച ശനിയാഴ്‌ച ഞായർ തിങ്കൾ ചൊവ്വ ബുധൻ വ്യാഴം വെള്ളി ശനി",
  },
  {
    language: "mr",
    months:
      "जानेवारी फेब्रुवारी मार्च एप्रिल मे जून जुलै ऑगस्ट सप्टेंबर ऑक्टोबर नोव्हेंबर डिसेंबर जाने फेब्रु एप्रि ऑग सप्टें ऑक्टो नोव्हें डिसें",
    days: "रविवार सोमवार मंगळवार बुधवार गुरुवार शुक्रवार शनिवार रवि सोम मंगळ बुध गुरु शुक्र शनि",
  },
  {
    language: "ms",
    months:
      "januari februari mac april mei jun julai ogos september oktober november disember jan feb apr jul ogo sep okt nov dis",
    days: "ahad isnin selasa rabu khamis jumaat sabtu ahd isn sel rab kha jum sab",
  },
  {
    language: "nb",
    months:
      "januar februar mars april mai juni juli august september oktober november desember jan feb mar apr jun jul aug sep okt nov des",
    days: "søndag mandag tirsdag onsdag torsdag fredag lørdag søn man tir ons tor fre lør",
  },
  {
    language: "ne",
    months: "जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर",
    days: "आइतबार सोमबार मङ्गलबार बुधबार बिहिबार शुक्रबार शनिबार आइत सोम मङ्गल बुध बिहि शुक्र शनि",
  },
  {
    language: "nl",
    months:
      "januari februari maart april mei juni juli augustus september oktober november december jan feb mrt apr jun jul aug sep okt nov dec",
    days: "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
  },
  {
    language: "pa",
    months: "ਜਨਵਰੀ ਫ਼ਰਵਰੀ ਮਾਰਚ ਅਪ੍ਰੈਲ ਮਈ ਜੂਨ ਜੁਲਾਈ ਅਗਸਤ ਸਤੰਬਰ ਅਕਤੂਬਰ ਨਵੰਬਰ ਦਸੰਬਰ ਜਨ ਫ਼ਰ ਅਪ੍ਰੈ ਜੁਲਾ ਅਗ ਸਤੰ ਅਕਤੂ ਨਵੰ ਦਸੰ",
    days: "ਐਤਵਾਰ ਸੋਮਵਾਰ ਮੰਗਲਵਾਰ ਬੁੱਧਵਾਰ ਵੀਰਵਾਰ ਸ਼ੁੱਕਰਵਾਰ ਸ਼ਨੀਵਾਰ ਸੋਮ ਮੰਗਲ ਬੁੱਧ ਵੀਰ ਸ਼ੁੱਕਰ ਸ਼ਨੀ",
  },
  {
    language: "pl",
    months:
      "styczeń stycznia luty lutego marzec marca kwiecień kwietnia maj maja czerwiec czerwca lipiec lipca sierpień sierpnia wrzesień września październik października listopad listopada grudzień grudnia sty lut mar kwi cze lip sie wrz paź lis gru",
    days: "niedziela poniedziałek wtorek środa czwartek piątek sobota niedz pon czw sob",
  },
  {
    language: "pt",
    months:
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro jan fev mar abr mai jun jul ago set out nov dez",
    days: "domingo sábado dom seg ter qua qui sex sáb",
  },
  {
    language: "ro",
    months:
      "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie ian feb mar apr iun iul aug sept oct nov dec",
    days: "duminică luni marți miercuri joi vineri sâmbătă dum lun mar mie vin sâm",
  },
  {
    language: "ru",
    months:
      "январь января февраль февраля март марта апрель апреля май мая июнь июня июль июля август августа сентябрь сентября октябрь октября ноябрь ноября декабрь декабря янв февр мар апр июн июл авг сент окт нояб дек",
    days: "воскресенье понедельник вторник среда четверг пятница суббота",
  },
  {
    language: "sk",
    months:
      "január januára február februára marec marca apríl apríla máj mája jún júna júl júla august augusta september septembra október októbra november novembra december decembra jan feb mar apr aug sep okt nov dec",
    days: "nedeľa pondelok utorok streda štvrtok piatok sobota",
  },
  {
    language: "sl",
    months:
      "januar februar marec april maj junij julij avgust september oktober november december jan feb mar apr jun jul avg sep okt nov dec",
    days: "nedelja ponedeljek torek sreda četrtek petek sobota ned pon tor sre čet pet sob",
  },
  {
    language: "sq",
    months:
      "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor jan shk mar pri qer korr gush sht tet nën dhj",
    days: "die hën mar mër enj pre sht",
  },
  {
    language: "sr",
    months:
      "јануар фебруар март април мај јун јул август септембар октобар новембар децембар јан феб мар апр авг сеп окт нов дец",
    days: "недеља понедељак уторак среда четвртак петак субота нед пон уто сре чет пет суб",
  },
  {
    language: "sv",
    months:
      "januari februari mars april maj juni juli augusti september oktober november december jan feb apr aug sep okt nov dec",
    days: "söndag måndag tisdag onsdag torsdag fredag lördag sön mån tis ons tors fre lör",
  },
  {
    language: "sw",
    months:
      "januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba jan feb mac apr jun jul ago sep okt nov des",
    days: "jumapili jumatatu jumanne jumatano alhamisi ijumaa jumamosi",
  },
  {
    language: "ta",
    months:
      "ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர் ஜன பிப் மார் ஏப் ஆக செப் அக் நவ டிச",
    days: "ஞாயிறு திங்கள் செவ்வாய் புதன் வியாழன் வெள்ளி சனி ஞாயி திங் செவ் புத வியா வெள்",
  },
  {
    language: "te",
    months: "జనవరి ఫిబ్రవరి మార్చి ఏప్రిల్ మే జూన్ జులై ఆగస్టు సెప్టెంబర్ అక్టోబర్ నవంబర్ డిసెంబర్ జన ఫిబ్ర ఏప్రి ఆగ సెప్టెం అక్టో నవం డిసెం",
    days: "ఆదివారం సోమవారం మంగళవారం బుధవారం గురువారం శుక్రవారం శనివారం ఆది సోమ మంగళ బుధ గురు శుక్ర శని",
  },
  {
    language: "th",
    months: "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    days: "วันอาทิตย์ วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์ อาทิตย์ จันทร์ อังคาร พุธ พฤหัส ศุกร์ เสาร์",
  },
  {
    language: "tr",
    months:
      "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık oca şub mar nis may haz tem ağu eyl eki kas ara",
    days: "pazar pazartesi salı çarşamba perşembe cuma cumartesi paz pzt sal çar per cum cmt",
  },
  {
    language: "uk",
    months:
      "січень січня лютий лютого березень березня квітень квітня травень травня червень червня липень липня серпень серпня вересень вересня жовтень жовтня листопад листопада грудень грудня січ лют бер квіт трав черв лип серп вер жовт лист груд",
    days: "неділя понеділок вівторок середа четвер пʼятниця субота",
  },
  {
    language: "ur",
    months: "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    days: "اتوار پیر منگل بدھ جمعرات جمعہ ہفتہ",
  },
  {
    language: "am",
    months: "ጃንዋሪ ፌብሩዋሪ ማርች ኤፕሪል ሜይ ጁን ጁላይ ኦገስት ሴፕቴምበር ኦክቶበር ኖቬምበር ዲሴምበር ጃን ፌብ ኤፕሪ ኦገስ ሴፕቴ ኦክቶ ኖቬም ዲሴም",
    days: "እሑድ ማክሰኞ ረቡዕ ሐሙስ ዓርብ ቅዳሜ ማክሰ",
  },
  {
    language: "km",
    months: "មករា កុម្ភៈ មីនា មេសា ឧសភា មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ",
    days: "អាទិត្យ ចន្ទ អង្គារ ពុធ ព្រហស្បតិ៍ សុក្រ សៅរ៍ ព្រហ",
  },
  {
    language: "ky",
    months:
      "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь янв фев мар апр июн июл авг сен окт ноя дек",
    days: "жекшемби дүйшөмбү шейшемби шаршемби бейшемби жума ишемби жек дүй шейш шарш бейш ишм",
  },
  {
    language: "lo",
    months: "ມັງກອນ ກຸມພາ ມີນາ ເມສາ ພຶດສະພາ ມິຖຸນາ ກໍລະກົດ ສິງຫາ ກັນຍາ ຕຸລາ ພະຈິກ ທັນວາ",
    days: "ວັນອາທິດ ວັນຈັນ ວັນອັງຄານ ວັນພຸດ ວັນພະຫັດ ວັນສຸກ ວັນເສົາ ອາທິດ ຈັນ ອັງຄານ ພຸດ ພະຫັດ ສຸກ ເສົາ",
  },
  {
    language: "my",
    months: "ဇန်နဝါရီ ဖေဖော်ဝါရီ မတ် ဧပြီ မေ ဇွန် ဇူလိုင် ဩဂုတ် စက်တင်ဘာ အောက်တိုဘာ နိုဝင်ဘာ ဒီဇင်ဘာ ဇန် ဖေ ဇူ စက် အောက် နို ဒီ",
    days: "တနင်္ဂနွေ တနင်္လာ အင်္ဂါ ဗုဒ္ဓဟူး ကြာသပတေး သောကြာ စနေ",
  },
  {
    language: "si",
    months: "දුරුතු නවම් මැදින් බක් වෙසක් පොසොන් ඇසළ නිකිණි බිනර වප් ඉල් උඳුවප්",
    days: "ඉරිදා සඳුදා අඟහරුවාදා බදාදා බ්‍රහස්පතින්දා සිකුරාදා සෙනසුරාදා අඟහ බ්‍රහස් සිකු සෙන",
  },
  {
    language: "uz",
    months:
      "yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr yan fev mar apr iyn iyl avg sen okt noy dek",
    days: "yakshanba dushanba seshanba chorshanba payshanba juma shanba yak dush sesh chor pay jum shan",
  },
  {
    language: "zu",
    months:
      "januwari februwari mashi ephreli meyi juni julayi agasti septhemba okthoba novemba disemba jan feb mas eph mey jun jul aga sep okt nov dis",
    days: "isonto umsombuluko ulwesibili ulwesithathu ulwesine ulwesihlanu umgqibelo son mso bil tha sin hla mgq",
  },
];

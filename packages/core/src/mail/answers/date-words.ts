/** The months and weekdays of one language, in the forms used in sentences, and words for days near today. */
export interface DateWords {
  language: string;
  /** Twelve entries, January first; alternative forms are separated by a bar. */
  months: string;
  /** Seven entries, Monday first. */
  weekdays: string;
  today: readonly string[];
  tomorrow: readonly string[];
  day_after_tomorrow: readonly string[];
}

/** In the languages of `answer-words.ts`. Chinese, Japanese and Korean write months as numbers. */
export const DATE_WORDS: readonly DateWords[] = [
  {
    language: "en",
    months:
      "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec",
    weekdays:
      "monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thurs friday|fri saturday|sat sunday|sun",
    today: ["today"],
    tomorrow: ["tomorrow"],
    day_after_tomorrow: ["day after tomorrow"],
  },
  {
    language: "zh",
    months: "",
    weekdays:
      "星期一|周一|礼拜一 星期二|周二|礼拜二 星期三|周三|礼拜三 星期四|周四|礼拜四 星期五|周五|礼拜五 星期六|周六|礼拜六 星期日|星期天|周日|周天|礼拜天",
    today: ["今天"],
    tomorrow: ["明天"],
    day_after_tomorrow: ["后天", "後天"],
  },
  {
    language: "es",
    months:
      "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    weekdays: "lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo",
    today: ["hoy"],
    tomorrow: ["mañana"],
    day_after_tomorrow: ["pasado mañana"],
  },
  {
    language: "hi",
    months: "जनवरी फरवरी|फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर|सितम्बर अक्टूबर|अक्तूबर नवंबर|नवम्बर दिसंबर|दिसम्बर",
    weekdays: "सोमवार मंगलवार बुधवार गुरुवार|बृहस्पतिवार शुक्रवार शनिवार रविवार|इतवार",
    today: ["आज"],
    tomorrow: [],
    day_after_tomorrow: [],
  },
  {
    language: "ar",
    months: "يناير فبراير مارس أبريل|ابريل مايو يونيو يوليو أغسطس|اغسطس سبتمبر أكتوبر|اكتوبر نوفمبر ديسمبر",
    weekdays: "الاثنين|الإثنين الثلاثاء الأربعاء|الاربعاء الخميس الجمعة السبت الأحد|الاحد",
    today: ["اليوم"],
    tomorrow: ["غدا", "غدًا"],
    day_after_tomorrow: ["بعد غد"],
  },
  {
    language: "pt",
    months: "janeiro fevereiro março|marco abril maio junho julho agosto setembro outubro novembro dezembro",
    weekdays: "segunda terça|terca quarta quinta sexta sábado|sabado domingo",
    today: ["hoje"],
    tomorrow: ["amanhã", "amanha"],
    day_after_tomorrow: ["depois de amanhã"],
  },
  {
    language: "fr",
    months:
      "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre",
    weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    today: ["aujourd'hui"],
    tomorrow: ["demain"],
    day_after_tomorrow: ["après demain"],
  },
  {
    language: "ru",
    months:
      "января|январь|январе февраля|февраль|феврале марта|март апреля|апрель мая|май июня|июнь июля|июль августа|август сентября|сентябрь октября|октябрь ноября|ноябрь декабря|декабрь",
    weekdays: "понедельник вторник среда|среду четверг пятница|пятницу суббота|субботу воскресенье",
    today: ["сегодня"],
    tomorrow: ["завтра"],
    day_after_tomorrow: ["послезавтра"],
  },
  {
    language: "de",
    months:
      "januar|jänner februar|feber märz|maerz april mai juni juli august september oktober november dezember",
    weekdays: "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    today: ["heute"],
    tomorrow: ["morgen"],
    day_after_tomorrow: ["übermorgen"],
  },
  {
    language: "ja",
    months: "",
    weekdays: "月曜日|月曜 火曜日|火曜 水曜日|水曜 木曜日|木曜 金曜日|金曜 土曜日|土曜 日曜日|日曜",
    today: ["今日", "本日"],
    tomorrow: ["明日"],
    day_after_tomorrow: ["明後日"],
  },
  {
    language: "ko",
    months: "",
    weekdays: "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
    today: ["오늘"],
    tomorrow: ["내일"],
    day_after_tomorrow: ["모레"],
  },
  {
    language: "it",
    months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    weekdays:
      "lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi sabato domenica",
    today: ["oggi"],
    tomorrow: ["domani"],
    day_after_tomorrow: ["dopodomani"],
  },
  {
    language: "nl",
    months: "januari februari maart april mei juni juli augustus september oktober november december",
    weekdays: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    today: ["vandaag"],
    tomorrow: [],
    day_after_tomorrow: ["overmorgen"],
  },
  {
    language: "pl",
    months:
      "stycznia|styczeń lutego|luty marca|marzec kwietnia|kwiecień maja|maj czerwca|czerwiec lipca|lipiec sierpnia|sierpień września|wrzesień października|październik listopada|listopad grudnia|grudzień",
    weekdays: "poniedziałek wtorek środa|środę czwartek piątek sobota|sobotę niedziela|niedzielę",
    today: ["dzisiaj", "dziś"],
    tomorrow: ["jutro"],
    day_after_tomorrow: ["pojutrze"],
  },
  {
    language: "tr",
    months: "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    weekdays: "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
    today: ["bugün"],
    tomorrow: ["yarın"],
    day_after_tomorrow: [],
  },
];

/** Words that shift a weekday by a week for some people but not for others: they make a weekday ambiguous. */
export const VAGUE_WEEKS: readonly string[] = [
  "next",
  "following",
  "last",
  "nächsten",
  "nächster",
  "nächste",
  "kommenden",
  "übernächsten",
  "letzten",
  "próximo",
  "próxima",
  "siguiente",
  "que viene",
  "prochain",
  "prochaine",
  "dernier",
  "следующий",
  "следующую",
  "следующая",
  "prossimo",
  "prossima",
  "volgende",
  "następny",
  "następną",
  "下周",
  "下星期",
  "来週",
  "다음",
  "अगले",
  "القادم",
  "المقبل",
  "gelecek",
  "önümüzdeki",
];

import { validate as vnr } from "stdnum/lib/cjs/at/vnr.js";
import { validate as tfn } from "stdnum/lib/cjs/au/tfn.js";
import { validate as nn } from "stdnum/lib/cjs/be/nn.js";
import { validate as egn } from "stdnum/lib/cjs/bg/egn.js";
import { validate as cpf } from "stdnum/lib/cjs/br/cpf.js";
import { validate as sin } from "stdnum/lib/cjs/ca/sin.js";
import { validate as ahv } from "stdnum/lib/cjs/ch/ssn.js";
import { validate as run } from "stdnum/lib/cjs/cl/run.js";
import { validate as ric } from "stdnum/lib/cjs/cn/ric.js";
import { validate as rc } from "stdnum/lib/cjs/cz/rc.js";
import { validate as idnr } from "stdnum/lib/cjs/de/idnr.js";
import { validate as passport } from "stdnum/lib/cjs/de/passport.js";
import { validate as svnr } from "stdnum/lib/cjs/de/svnr.js";
import { validate as cpr } from "stdnum/lib/cjs/dk/cpr.js";
import { validate as cedulaDo } from "stdnum/lib/cjs/do/cedula.js";
import { validate as ci } from "stdnum/lib/cjs/ec/ci.js";
import { validate as ik } from "stdnum/lib/cjs/ee/ik.js";
import { validate as dni } from "stdnum/lib/cjs/es/dni.js";
import { validate as nie } from "stdnum/lib/cjs/es/nie.js";
import { validate as hetu } from "stdnum/lib/cjs/fi/hetu.js";
import { validate as nir } from "stdnum/lib/cjs/fr/nir.js";
import { validate as nino } from "stdnum/lib/cjs/gb/nino.js";
import { validate as amka } from "stdnum/lib/cjs/gr/amka.js";
import { validate as hkid } from "stdnum/lib/cjs/hk/hkid.js";
import { validate as oib } from "stdnum/lib/cjs/hr/oib.js";
import { validate as pps } from "stdnum/lib/cjs/ie/pps.js";
import { validate as teudat } from "stdnum/lib/cjs/il/idnr.js";
import { validate as aadhaar } from "stdnum/lib/cjs/in/aadhaar.js";
import { validate as kennitala } from "stdnum/lib/cjs/is/kennitala.js";
import { validate as codicefiscale } from "stdnum/lib/cjs/it/codicefiscale.js";
import { validate as rrn } from "stdnum/lib/cjs/kr/rrn.js";
import { validate as asmens } from "stdnum/lib/cjs/lt/asmens.js";
import { validate as curp } from "stdnum/lib/cjs/mx/curp.js";
import { validate as bsn } from "stdnum/lib/cjs/nl/bsn.js";
import { validate as fodselsnummer } from "stdnum/lib/cjs/no/fodselsnummer.js";
import { validate as pesel } from "stdnum/lib/cjs/pl/pesel.js";
import { validate as nifPt } from "stdnum/lib/cjs/pt/nif.js";
import { validate as cnp } from "stdnum/lib/cjs/ro/cnp.js";
import { validate as jmbg } from "stdnum/lib/cjs/rs/jmbg.js";
import { validate as inn } from "stdnum/lib/cjs/ru/inn.js";
import { validate as personnummer } from "stdnum/lib/cjs/se/personnummer.js";
import { validate as emso } from "stdnum/lib/cjs/si/emso.js";
import { validate as idnrTh } from "stdnum/lib/cjs/th/idnr.js";
import { validate as tckimlik } from "stdnum/lib/cjs/tr/tckimlik.js";
import { validate as rntrc } from "stdnum/lib/cjs/ua/rntrc.js";
import { validate as ssn } from "stdnum/lib/cjs/us/ssn.js";
import { validate as cedulaUy } from "stdnum/lib/cjs/uy/cedula.js";
import { validate as idnrZa } from "stdnum/lib/cjs/za/idnr.js";
import type { NamedNumber } from "./named-numbers.ts";

type Validate = typeof ssn;

function number(kind: string, pattern: string, words: readonly string[], validate: Validate): NamedNumber {
  return { kind, pattern, words, isValid: (compact, written) => isValid(validate, compact, written) };
}

/** In some numbers the dash says which century; in others nothing may stand in its place. */
function isValid(validate: Validate, compact: string, written: string): boolean {
  // A run of one digit stands for a number in forms and examples.
  return !/^(.)\1*$/.test(compact) && [compact, written].some((form) => validate(form).isValid);
}

/** Words of passports in many languages. */
const PASSPORT = [
  ...[
    "passport",
    "passport number",
    "reisepass",
    "passnummer",
    "pass-nr",
    "pasaporte",
    "passeport",
    "passaporto",
  ],
  ...[
    "passaporte",
    "paspoort",
    "pas",
    "pass",
    "passi",
    "paszport",
    "pașaport",
    "útlevél",
    "putovnica",
    "паспорт",
  ],
  ...[
    "διαβατήριο",
    "pasaport",
    "جواز سفر",
    "דרכון",
    "पासपोर्ट",
    "护照",
    "護照",
    "パスポート",
    "여권",
    "หนังสือเดินทาง",
  ],
];

/**
 * Numbers that identify people, as far as they have check digits, or, in a few countries, a form that few other numbers
 * have. Words that also name numbers of companies are left out: those stand on every invoice.
 */
export const NATIONAL_NUMBERS: readonly NamedNumber[] = [
  number(
    "us_ssn",
    "\\d{3}[- ]?\\d{2}[- ]?\\d{4}",
    ["=SSN", "ssn:", "social security", "social security number", "seguro social"],
    ssn,
  ),
  number(
    "ca_sin",
    "\\d{3}[- ]?\\d{3}[- ]?\\d{3}",
    ["=SIN", "=NAS", "social insurance", "social insurance number", "assurance sociale"],
    sin,
  ),
  number(
    "gb_nino",
    "[a-z]{2} ?\\d{2} ?\\d{2} ?\\d{2} ?[a-d]",
    ["=NINO", "=NI", "national insurance", "national insurance number"],
    nino,
  ),
  number("ie_pps", "\\d{7}[a-w][a-iw]?", ["=PPS", "=PPSN", "pps number"], pps),
  number(
    "de_idnr",
    "\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}",
    [
      "steuer-id",
      "steuerid",
      "steueridentifikationsnummer",
      "steuerliche identifikationsnummer",
      "idnr",
      "tax id",
    ],
    idnr,
  ),
  number(
    "de_svnr",
    "\\d{2} ?\\d{6} ?[a-z] ?\\d{3}",
    ["sozialversicherungsnummer", "rentenversicherungsnummer", "versicherungsnummer", "sv-nummer", "svnr"],
    svnr,
  ),
  number(
    "de_passport",
    "[cfghjklmnprtvwxyz][0-9cfghjklmnprtvwxyz]{8}\\d",
    [...PASSPORT, "personalausweis", "ausweis", "ausweisnummer", "identity card"],
    passport,
  ),
  number(
    "at_vnr",
    "\\d{4} ?\\d{6}",
    ["sozialversicherungsnummer", "versicherungsnummer", "svnr", "sv-nummer"],
    vnr,
  ),
  number(
    "ch_ahv",
    "756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d{2}",
    ["=AHV", "=AVS", "ahv-nummer", "ahv-nr", "numéro avs", "numero avs", "sozialversicherungsnummer"],
    ahv,
  ),
  number(
    "fr_nir",
    "[12] ?\\d{2} ?\\d{2} ?(?:\\d{2}|2[ab]) ?\\d{3} ?\\d{3} ?\\d{2}",
    ["sécurité sociale", "securite sociale", "numéro de sécu", "sécu", "=NIR", "insee"],
    nir,
  ),
  number(
    "it_codice_fiscale",
    "[a-z]{6}\\d{2}[a-z]\\d{2}[a-z]\\d{3}[a-z]",
    ["codice fiscale", "cod. fiscale", "=CF", "=C.F.", "fiscal code", "tax code"],
    codicefiscale,
  ),
  number(
    "es_dni",
    "\\d{8}-?[a-z]",
    ["dni", "nif", "documento nacional de identidad", "documento de identidad"],
    dni,
  ),
  number(
    "es_nie",
    "[xyz]-?\\d{7}-?[a-z]",
    ["nie", "nif", "número de identidad de extranjero", "extranjero"],
    nie,
  ),
  number(
    "pt_nif",
    "[123]\\d{2} ?\\d{3} ?\\d{3}",
    ["número de contribuinte", "contribuinte", "identificação fiscal"],
    nifPt,
  ),
  number(
    "nl_bsn",
    "\\d{9}|\\d{4}\\.\\d{2}\\.\\d{3}|\\d{4} \\d{2} \\d{3}",
    ["bsn", "burgerservicenummer", "sofinummer"],
    bsn,
  ),
  number(
    "be_nn",
    "\\d{2}\\.?\\d{2}\\.?\\d{2}-?\\d{3}\\.?\\d{2}",
    [
      "rijksregisternummer",
      "registre national",
      "numéro national",
      "nationalregisternummer",
      "=NISS",
      "=INSZ",
    ],
    nn,
  ),
  number("dk_cpr", "\\d{6}-?\\d{4}", ["cpr-nummer", "cpr-nr", "cpr nr", "personnummer"], cpr),
  number(
    "se_personnummer",
    "(?:\\d{2})?\\d{6}[-+]?\\d{4}",
    ["personnummer", "personal identity number", "samordningsnummer"],
    personnummer,
  ),
  number(
    "no_fodselsnummer",
    "\\d{6} ?\\d{5}",
    ["fødselsnummer", "fodselsnummer", "personnummer", "d-nummer"],
    fodselsnummer,
  ),
  number(
    "fi_hetu",
    "\\d{6}[-+a-fu-y]\\d{3}[0-9a-y]",
    ["henkilötunnus", "henkilotunnus", "hetu", "personbeteckning"],
    hetu,
  ),
  number("is_kennitala", "\\d{6}-?\\d{4}", ["kennitala", "kt."], kennitala),
  number("ee_isikukood", "\\d{11}", ["isikukood"], ik),
  number("lt_asmens_kodas", "\\d{11}", ["asmens kodas"], asmens),
  number("pl_pesel", "\\d{11}", ["pesel"], pesel),
  number("cz_rodne_cislo", "\\d{6}/?\\d{3,4}", ["rodné číslo", "rodne cislo", "=RČ", "=RC"], rc),
  number("ro_cnp", "\\d{13}", ["=CNP", "cod numeric personal"], cnp),
  number("bg_egn", "\\d{10}", ["=ЕГН", "=EGN", "единен граждански номер"], egn),
  number("hr_oib", "\\d{11}", ["=OIB", "osobni identifikacijski broj"], oib),
  number("jmbg", "\\d{13}", ["jmbg", "јмбг", "матични број", "matični broj"], jmbg),
  number("si_emso", "\\d{13}", ["emšo", "emso"], emso),
  number("gr_amka", "\\d{11}", ["αμκα", "amka"], amka),
  number("tr_kimlik", "\\d{11}", ["kimlik", "kimlik no", "t.c. kimlik", "=TCKN"], tckimlik),
  number("ua_rntrc", "\\d{10}", ["рнокпп", "=ІПН", "ідентифікаційний код", "ідентифікаційний номер"], rntrc),
  number("ru_inn", "\\d{12}", ["инн", "=INN"], inn),
  number("il_id", "\\d{9}", ["תעודת זהות", "ת.ז", "ת״ז", "teudat zehut"], teudat),
  number("in_aadhaar", "\\d{4} ?\\d{4} ?\\d{4}", ["aadhaar", "aadhar", "आधार"], aadhaar),
  number(
    "cn_id",
    "\\d{17}[0-9x]",
    ["身份证", "身分證", "公民身份号码", "resident identity card", "id card"],
    ric,
  ),
  number("hk_id", "[a-z]{1,2}\\d{6}\\(?[0-9a]\\)?", ["hkid", "身份證", "identity card"], hkid),
  number("kr_rrn", "\\d{6}-?\\d{7}", ["주민등록번호", "주민번호", "resident registration number"], rrn),
  number(
    "th_id",
    "\\d[- ]?\\d{4}[- ]?\\d{5}[- ]?\\d{2}[- ]?\\d",
    ["เลขประจำตัวประชาชน", "บัตรประชาชน", "thai id"],
    idnrTh,
  ),
  number("au_tfn", "\\d{3} ?\\d{3} ?\\d{2,3}", ["=TFN", "tax file number"], tfn),
  number("za_id", "\\d{13}", ["id number", "identity number", "id no"], idnrZa),
  number("br_cpf", "\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}", ["cpf", "cadastro de pessoas físicas"], cpf),
  number("mx_curp", "[a-z]{4}\\d{6}[hm][a-z]{5}[0-9a-z]\\d", ["curp"], curp),
  number(
    "cl_run",
    "\\d{1,2}\\.?\\d{3}\\.?\\d{3}-?[0-9k]",
    ["=RUN", "cédula de identidad", "carnet de identidad"],
    run,
  ),
  number("ec_cedula", "\\d{10}", ["cédula", "cedula", "cédula de identidad"], ci),
  number("do_cedula", "\\d{3}-?\\d{7}-?\\d", ["cédula", "cedula"], cedulaDo),
  number("uy_cedula", "\\d\\.?\\d{3}\\.?\\d{3}-?\\d", ["cédula", "cedula", "cédula de identidad"], cedulaUy),
];

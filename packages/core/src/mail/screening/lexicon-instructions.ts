import { withLanguages } from "./lexicon-languages.ts";

/**
 * Words of commands to a model, by meaning. Folded (no accents, lower case); `stem*` covers all endings. All
 * languages share one list, because rules only ask for meanings near each other: en de fr es pt it nl ru pl
 * tr and more.
 */
export const INSTRUCTION_WORDS = withLanguages({
  ignore: `ignore ignoring ignor disregard disregarding forget forgetting override overriding overrule bypass bypassing discard neglect circumvent nullify
    ignoriere ignorieren ignoriert vergiss vergesse vergessen missachte missachten uberschreibe umgehe verwirf
    ignorez ignorer ignores oublie oubliez oublier oublions abstraction contourne contournez
    ignora ignorar ignoren ignorad olvida olvide olviden olvidar olvidate descarta descarte omite omita ignorem esqueca esquece esquecer desconsidere desconsiderar desconsidera
    ignorare ignorate ignori dimentica dimentichi dimenticare dimenticate trascura tralascia
    negeer negeren vergeet vergeten игнорируй* игнорировать проигнорируй* забудь* отмени* отбрось* ignoruj* zignoruj* zapomnij* pomin* yoksay* unut unutun
    ignorera glom ignorer glem ignoroi unohda ignorujte zapomen* abaikan lupakan bo regardless irrespective ungeachtet`,
  prior: `previous previously prior preceding above earlier foregoing former past any all every everything your yours these those system initial original safety security existing current
    developer given following own
    vorherige* vorige* bisherige* obige* fruhere* vorangegangene* vorstehende* ursprungliche* alle allen deine* ihre ihrer samtliche*
    precedent* anterieure* toutes tous tes vos initiales ci-dessus dessus
    anterior* previas previos todas todos tus sus iniciales arriba previo acima seus suas tuas
    precedenti precedente tutte tutti tue tuoi vostre iniziali sopra
    vorige eerdere voorgaande bovenstaande jouw uw предыдущ* прежни* выше все всех свои* ваши* poprzedni* wczesniejsz* wszystki* powyzsz* onceki tum
    tidigare alla foregaende tidligere alle aiemmat kaikki predchozi vsechny sebelumnya semua`,
  instructions: `instruction* prompt prompts directive* guideline* directions rule rules constraint* restriction* guardrail* safeguard* programming context commands limitations
    anweisung* instruktion* vorgabe* regel regeln richtlinie* befehl* anleitung*
    consigne* directives regle regles ordres
    instruccion* indicacion* reglas ordenes directri* restricciones instrucoes instrucao regras diretriz* orientacoes comandos restricoes
    istruzion* regole direttiv* comandi indicazioni vincoli
    instructie* regels opdrachten aanwijzing* richtlijn* инструкц* указани* правил* команды промпт* распоряжени* instrukcj* polecen* zasady wytyczn* talimat* komutlar* kurallar*
    instruktioner anvisningar ohjeet ohjeita pokyny instruksi perintah`,
  weak_object: `email emails mail mails message messages letter notice invoice attachment reminder warning warnings error errors request version nachricht rechnung courriel message mensaje correo messaggio bericht письмо`,
  condition: "if unless when wenn falls si se als indien если jesli eger",
  negation:
    "not never don't dont doesn't didn't cannot can't shouldn't won't i we they i'll we'll nicht niemals nie kein ne pas jamais no nunca nao non mai niet nooit",
  bare_before:
    "above previous prior before earlier everything vorherige* obige* precedent* anterior* todo tudo tout alles",
  told: "told learned learnt know said trained been written gesagt weisst sagte dit sais dicho sabes disse sai gezegd weet знаешь сказано wiesz",

  you: "you your you're du deine sie ihr tu vous votre ta tus usted su voce seu lei vous je jij ты вы твой ваш",
  are: "are act behave bist seid sind es eres sei siete bent you're youre",
  act: "act behave pretend become roleplay simulate verhalte agis comporte actua atue aja comportati gedraag",
  now: "now henceforth onwards jetzt nun ab maintenant desormais ahora agora adesso ora nu теперь отныне teraz odtad",
  role: "dan assistant ai bot chatbot llm gpt chatgpt hacker jailbroken jailbreak unrestricted uncensored sydney assistent assistente asistente ассистент бот asystent ki",
  mode: "mode modus modo modalita режим tryb",
  free_mode:
    "developer debug debugging maintenance admin root sudo bypass override diagnostic diagnostics unfiltered unlocked testing evaluation opposite god entwickler developpeur desarrollador desenvolvedor sviluppatore разработчика",
  enter:
    "enter enable activate switch engage enabled activated entering aktiviere wechsle active activez activa activar ative attiva активируй",

  assistant:
    "ai llm llms assistant chatbot copilot chatgpt gpt claude gemini ki ia ии assistent assistente asistente ассистент asystent agents bot bots assistants",
  address_to:
    "dear hello hey attention attn to note hi liebe lieber hallo achtung cher chere bonjour estimado estimada hola atencion querido caro ciao beste geachte уважаемый привет drogi",
  to_de: "an fur",
  the_de: "den die das alle jeden",
  model: "model models agent agents assistant assistants modell modele modelo modello модель",
  language:
    "language automated virtual autonomous sprachmodell langage lenguaje linguagem linguaggio taal языковая",
  reading:
    "reading processing summarizing summarising reads read parsing handling liest lisant lees lisez leyendo lendo leggendo читаешь",

  user: "user nutzer nutzerin benutzer benutzers utilisateur usuario utente gebruiker пользовател* uzytkownik* kullanici* anvandaren bruker kayttaja",
  keeper:
    "user users owner human operator principal boss manager supervisor employer nutzer benutzer besitzer inhaber utilisateur proprietaire usuario propietario dueno proprietario dono utente gebruiker eigenaar пользовател* владельц* uzytkownik* wlascicie*",
  person:
    "anyone anybody nobody person people humans someone them him her others jemand* niemand* personne nadie alguien ninguem alguem nessuno niemand никому никого nikomu",
  without:
    "not never don't dont without nicht niemals ohne kein ne pas sans jamais sin nunca nao sem senza niet zonder не без никогда nie bez avoid",
  no_word: "no non",
  tell: "tell inform informing mention mentioning notify notifying alert alerting reveal revealing disclose disclosing say report warn asking ask telling show showing knowledge consent sage sag sagen informiere informieren informier* erwahne* erwahnen benachrichtig* verrate* dis dites dire informe* informez informer mentionne* previens prevenir revele* diga* digas decir decirle informes informar mencion* avis* notifi* reveles revelar conte contar dizer mencione dica dirlo informare menzion* avvis* rivel* vertel vertellen informeer meld* говори* сообщай* упоминай* уведомля* informuj mow wspomin* powiadami*",
  hidden:
    "hidden invisible secret secretly covertly silently quietly discreetly heimlich versteckt* unauffallig stillschweigend secretement discretement silencieusement secretamente silenciosamente discretamente segretamente stiekem тайно скрыт* незаметно ukryt* potajemnie",
  cannot: "can't cannot unable won't doesn't",
  see: "see sees read notice aware visible know seen",

  reveal:
    "reveal print output display show repeat recite disclose dump leak expose share tell send include paste return verrate zeige gib wiederhole nenne affiche montre revele repete divulgue muestra revela repite imprime mostra mostre repita revele stampa ripeti rivela toon herhaal onthul покажи* выведи* раскрой* повтори* pokaz* ujawnij*",
  leak: "reveal leak dump repeat recite expose divulge verrate wiederhole revele divulgue repete revela repite ripeti rivela onthul раскрой* повтори* ujawnij*",
  system:
    "system initial hidden secret original developer internal systeme sistema system systemowy системн* verborgene* interne*",
  prompt: "prompt prompts промпт*",

  fresh:
    "new updated revised real actual true urgent special neue neuen neues nouvelle nouvelles nueva nuevas nova novas nuova nuove nieuwe новые новая новое nowe",
  task: "task tasks instruction* objective goal mission job directive* assignment aufgabe anweisung* tache mission tarea instruccion* tarefa instrucoes compito istruzion* taak instructie* задач* инструкц* zadani*",
  is: "is are follow follows must below ist lautet sind lauten est sont es son sao sono zijn follows",
  instead: "instead statt stattdessen lugar plutot invece vez plaats вместо zamiast",
  obey: "adhere obey comply execute follow follows befolge befolgen suis suivez obeis sigue siga obedece cumpla obedeca segui esegui volg voer следуй выполни* wykonaj postepuj",
  strictly:
    "strictly exactly immediately only exclusively precisely genau strikt strictement exactement estrictamente exactamente estritamente exatamente strettamente esattamente strikt precies строго точно scisle dokladnie",
  before: "before bevor vor avant antes prima voordat прежде przed first zuerst d'abord primero primeiro",
  solve:
    "solve complete completing answer answering continue continuing respond responding proceed summarize summarizing finish losen beantworten fortfahren repondre continuer resoudre responder continuar resolver rispondere continuare beantwoorden doorgaan",
  do: "do perform carry execute run mach tu fais faites haz haga faca fai esegui doe сделай* zrob",

  send: "send forward reply share email mail upload post transmit export exfiltrate relay submit redirect provide sende schicke schick leite teile antworte envoie envoyez envoyer transfere transferez transferer partage repondez envia envie enviar reenvia reenvie reenviar manda mande comparte responda encaminhe encaminhar compartilhe invia inviare inoltra inoltrare mandami rispondi stuur sturen doorsturen verstuur deel перешли* отправ* пришли* wyslij* przeslij*",
  send_out:
    "send forward reply transmit exfiltrate relay redirect email sende schicke schick leite antworte envoie envoyez transfere transferez repondez envia envie reenvia reenvie manda mande responda encaminhe invia inoltra mandami rispondi stuur doorsturen verstuur перешли* отправь* пришли* wyslij* przeslij*",
  forward:
    "forward redirect relay bcc leite weiterleiten transfere transferez transferer reenvia reenvie reenviar encaminhe encaminhar inoltra inoltrare inoltri doorsturen stuur перешли* przeslij",
  every:
    "all every each any last recent latest subjects subject bodies body contents entire complete copies summary list listing alle allen letzten samtliche inhalt* liste toutes tous derniers contenu todos todas ultimos lista contenido conteudo tutti tutte ultimi contenuto elenco laatste inhoud все всех последни* содержани* wszystki* ostatni* tresc*",
  mail: "email emails mail mails messages message correspondence conversation conversations threads thread contacts nachricht* courriels messages conversation* correos mensajes mensagens messaggi berichten письм* сообщени* wiadomosc* maile",
  mailbox:
    "inbox mailbox inboxes mailboxes posteingang postfach postfachs boite bandeja buzon casella postvak ящик* почтов* skrzynk*",
  possessed:
    "have received got hast habe* erhalten avez as recu* tienes tiene recibid* tem recebid* recebeu hai ricevut* hebt ontvangen получен* otrzyman* masz",
  we_do: "we we'll we've i've i'll our us wir nous nosotros nos noi wij мы my",

  secret:
    "password passwords passwort* kennwort* passphrase credentials token tokens secret secrets apikey contrasena* senha* wachtwoord* парол* hasla haslo zugangsdaten identifiants credenciales credenciais credenziali key keys otp passcode",
  api: "api access secret private ssh session authentication auth aws encryption verification login environment env admin",
  to_me: "me us back reply response to mir uns moi mi mim ons мне mnie",

  each_mail:
    "email emails mail message messages nachricht* courriel* correo* mensaje* mensagem mensagens messaggi bericht* письм* wiadomosc*",
  erase:
    "delete erase wipe purge remove destroy losche loschen supprime supprimez elimina elimine borra apaga apague cancella verwijder удали* usun",
  records:
    "archive archives drafts trash folder archivio entwurfe factures brouillons borradores bozze черновики rascunhos emails mails messages files inbox mailbox records contacts database threads backups nachrichten dateien fichiers courriels correos archivos mensajes arquivos mensagens messaggi file berichten bestanden письма файлы wiadomosci pliki",
  whole:
    "all every entire everything alle samtliche gesamte gesamten intero intera toda todo entera entero cale caly tutte tous toutes todos todas tutti все wszystkie whole",

  tool: "tool tools function functions werkzeug outil herramienta ferramenta strumento",
  call: "call invoke use execute run trigger aufrufen rufe verwende appelle utilise llama usa invoca chame use chiama",
  tool_name:
    "send_email forward_email delete_email read_email search_emails get_emails list_emails send_message create_event run_command execute_command execute_code shell_exec http_request fetch_url browse_web read_file write_file bash_tool send_money transfer_funds update_password sendemail forwardemail",

  transfer:
    "transfer send wire pay make modify uberweise uberweisen virez transferez transfiere transfiera transfira bonifico trasferisci overmaken переведи* przelej",
  funds:
    "transaction money funds payment bitcoin recipient amount usd eur dollars euros geld argent dinero dinheiro denaro geld деньги pieniadze",
  account: "account iban wallet konto compte cuenta conta conto rekening счет konta",
  office:
    "root administrator admin developer character persona agent model mode modell modele modelo modello administrador administrateur модель режим",
  wild_mode: "dan god jailbreak jailbroken unrestricted uncensored",
  limits:
    "restriction* limitations limits filters guardrail* guidelines rules constraint* einschrankung* restricciones restricoes restrizioni beperkingen ограничени*",
  no: "no without zero keine ohne sin sem senza geen без",
  them: "them those sie les los las ze",
  list_of:
    "list lists listing copy copies summary export overview ubersicht aufstellung liste kopie copie lista copia resumen resumo elenco lijst список копи*",
  holdings:
    "email emails mail mails messages message conversation* correspondence contacts addresses inbox mailbox threads calendar files documents kontakte adressbuch contactos contatos contatti contacten nachrichten courriels correos mensagens messaggi berichten",
  book: "address calendar contact",
  suspicious: "suspicious phishing spam verdachtige suspect* sospechos* suspeit* sospett*",
  several:
    "all every each last recent latest entire complete alle allen letzten samtliche toutes tous derniers todas todos ultimos tutti tutte ultimi laatste все всех последни* wszystki* ostatni*",
  never:
    "never not don't dont won't cannot nie niemals nicht jamais ne nunca no nao mai non nooit niet никогда не nigdy nie",
  document:
    "version draft page pages document attachment file invoice step steps dokument seite fichier documento",
  safety_things: "protocol protocols filter filters check checks measures controls mechanisms safety",
  everything: "everything alles tout todo tudo tutto все всё wszystko",
  above:
    "above before prior previously so earlier oben davor dessus avant anterior arriba antes acima sopra prima выше ранее",
  void: "void invalid obsolete cancelled canceled superseded outdated revoked longer ungultig annulees anuladas canceladas annullate vervallen",
  anything: "anything",
  must: "must shall have need should mussen musst devez dois debes debe deve devi moet должен должны musisz",
  you_are: "you're youre",
  give: "send forward reply transmit email include paste compile extract summarize export sende schicke leite fuge envoie envoyez inclus incluez partagez envia envie incluye inclua comparta compartilhe invia includi condividi stuur deel вставь включи отправь",
  inside:
    "subjects lines bodies verbatim transcript betreffzeilen objets asuntos assuntos oggetti onderwerpen темы",
  recent:
    "last latest recent newest full unread original letzte letzten neueste dernier dernieres ultimo ultimos ultima recientes recentes ultimi laatste последн* ostatni*",
  answer: "reply response answer antwort reponse respuesta resposta risposta antwoord ответ* odpowied*",
  people: "everyone senders sender contacts correspondents coworkers customers",
  contents: "contents calendar inhalt contenu contenido conteudo contenuto inhoud содержимое",
  search:
    "search scan comb browse access durchsuche suche fouille cherche busca revisa procure cerca doorzoek найди",
  send_on:
    "send forward post transmit upload relay redirect export sende schicke leite envoie envoyez transfere transferez envia reenvia envie encaminhe invia inoltra stuur doorsturen перешли* отправь wyslij* przeslij*",
  stop: "stop halt stopp arrete detente pare fermati",
  doing: "doing",
  wording: "text wording body wortlaut texte texto testo tekst текст",
  share: "share disclose reveal provide teile nenne partage partagez comparte compartilhe condividi deel",
  summarise:
    "summarize summarise summarizing summarising answer respond zusammenfasst resumes resumez riassumi",

  reveal_last: "preisgeben",
  send_last: "exfiltrieren",
  what: "what what's which was que quel quelle quelles quels cual cuales qual quais quale quali wat какие какой какая jakie jaki",
  were: "were was are been wurdest bist as etes fuiste foste sei werd",
  briefed:
    "told instructed configured programmed prompted initialised initialized trained briefed angewiesen programmiert programme instruit instruido programado istruito geinstrueerd",
  tell_me:
    "reveal disclose divulge expose leak spell say repeat print output tell share encode translate type recite verrate nenne sag divulgue revele revela dis dime diga divulga rivela dimmi onthul zeg раскрой назови скажи ujawnij powiedz",
  give_me:
    "tell give show send write hand share say gib zeig schick donne donnez montre envoie da dame muestra envia manda de mostre envie dammi mostra invia geef toon stuur дай покажи скажи пришли podaj pokaz",
  passkey:
    "password passwords passphrase passphrases passcode passwort kennwort contrasena senha wachtwoord парол* haslo parola sifre* losenord* salasana*",
  hush: "secret private hidden confidential api access encryption geheim* secrete secreta secreto segreta segreto geheime секретн* tajn*",
  key: "key keys word phrase code codes token tokens schlussel wort mot cle clave palabra chave palavra chiave parola sleutel woord ключ слово klucz",
  pretend:
    "pretend roleplay role-play simulate impersonate stell simuliere simule simula finge fais finja fingi doe притворись представь udawaj",
  imagine:
    "imagine hypothetical hypothetically fictional fiction suppose story scenario hypothetisch stelle imaginez imagina imaginate immagina stel вообрази wyobraz",
  wild_role:
    "dan stan jailbroken unfiltered uncensored unrestricted evil villain malicious amoral unethical hacker chaos rogue",
  machine: "terminal console interpreter shell compiler sandbox parser linux kernel bios",
  maker:
    "developer creator programmer engineer maker administrator admin sysadmin operator designer entwickler createur developpeur creador desarrollador criador desenvolvedor creatore sviluppatore ontwikkelaar создатель разработчик tworca",
  i_am: "i'm am я bin suis soy sou sono ben jestem je",
  allowed:
    "allowed authorized authorised permitted free cleared entitled erlaubt autorise autorizado permesso toegestaan",
  unlock: "ignore bypass override disregard reveal disclose break skip",
  reply_noun:
    "response responses reply replies answer answers summary summaries output antwort zusammenfassung reponse resume respuesta resumen resposta resumo risposta riassunto antwoord samenvatting ответ* odpowied*",
  should:
    "must should shall needs has always muss soll doit devrait debe deberia deve dovrebbe moet должен powinna musi",
  begin:
    "begin start end prefix preface append beginne beende commence termine empieza termina comece inizia begin начни zacznij",
  only: "only exactly nothing just solely verbatim nur genau uniquement seulement solo solamente apenas somente soltanto alleen slechts только tylko",
  answer_verb:
    "respond reply answer say output print write return antworte antworten reponds repondez responde responda rispondi antwoord ответь odpowiedz",
  future: "future subsequent upcoming further kunftig* zukunftig* futur* futuri toekomstige будущ* przyszl*",
  whenever: "whenever everytime wann immer chaque cada ogni telkens когда kiedy",
  encode:
    "encode encoded translate spell output respond reply write answer convert return codiere kodiere encodez codifica codifique",
  cipher:
    "base64 base32 rot13 rot-13 hex hexadecimal morse leetspeak leet backwards backward reversed caesar cipher ciphertext ascii unicode binary acrostic",
  decode:
    "decode decrypt decipher unscramble deobfuscate dekodiere entschlusselt decodez decodifica decodifique декодируй",
  execute:
    "follow execute obey run perform carry act comply befolge ausfuhren suivez execute ejecuta sigue siga esegui выполни wykonaj",
  obeying: "following obeying complying adhering befolgen suivre seguir seguire volgen",
  while: "when while before after if once wenn wahrend bevor quand lorsque cuando quando wanneer когда gdy",
  digest:
    "summarise summarize summarising summarizing process processing parse parsing analyse analyze analyzing index indexing triage",
  piece:
    "email mail message document text content page thread nachricht message courriel mensaje correo mensagem messaggio bericht письмо",
  letter:
    "letter letters character characters digit digits syllable syllables hint rhyme buchstabe* lettres letras lettere",
  of: "of from in des del della von van",
  guard: "guard guarding keep keeping protect protecting hide hiding know given hold holding store storing",
  set_up:
    "create add set enable configure establish make erstelle cree crea adicione crie aggiungi maak создай dodaj",
  rerouting:
    "forwarding auto-forward autoforward weiterleitung weiterleitungsregel redirection transfert reenvio encaminhamento inoltro doorstuurregel переадресац* przekierowanie",
  disable:
    "disable deactivate deaktiviere desactive desactiva desative disattiva schakel отключи wylacz turn remove",
  protection:
    "2fa mfa two-factor authentication antivirus firewall spam security protection sicherheit securite seguridad seguranca sicurezza beveiliging",
});

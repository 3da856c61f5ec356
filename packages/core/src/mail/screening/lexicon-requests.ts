import { withRequestLanguages } from "./request-languages.ts";

/**
 * Words of requests that only make sense to a model, by meaning, in English; `withRequestLanguages` adds other languages.
 * Folded and matched like the other lexicons.
 */
export const REQUEST_WORDS = withRequestLanguages({
  ask_last: "preisgeben verraten",
  by_turns: "at per by line time turn",
  above: "above before preceding previous precedes preceded",
  obey: "follow obey comply adhere respect heed abide bound",
  got: "received given got read had have",
  i: "i",
  command: "order command instruct demand",
  digest: "summarize summarise translate analyze analyse classify categorize process",
  repeat_verb: "repeat print output show copy recite quote echo paste say tell display reproduce",
  print_verb: "print dump display output reveal list show",
  internals: "variables configuration config memory parameters internals buffer",
  token: "secret secrets code passcode flag keyword codeword key keys",
  of_key:
    "points point takeaways dates findings figures facts people ideas results differences steps features issues questions want prefer",
  send: "send forward deliver transmit envia envie envoie envoyez schicke sende invia wyslij отправь",
  were: "were weren't",
  free: "allowed permitted free unrestricted not uncensored unable",
  respond: "respond answer reply output format return",
  format: "json yaml xml markdown csv python javascript code html bullets haiku verse",
  of_lists:
    "suspicious phishing spam unsubscribe subscribe subscription list lists help question questions comments feedback subject remove removal support apply application resume cv information info bug bugs patches suggestions",
  describe: "describe explain name define",
  transfer: "transfer pay send wire remit",
  act_verb:
    "change update send give share find look add cancel book include set reset make transfer delete remove create show tell",
  the: "the",
  user: "user user's users",
  policy: "policy policies rule rules instructions guidelines orders restrictions ethics",
  confess: "tell say reveal disclose divulge leak spell expose confess",
  give: "give show send provide hand text email forward",
  mine: "me us",
  negation: "not never don't dont doesn't didn't cannot can't shouldn't won't wouldn't isn't aren't wasn't",
  we_do: "we we'll we've our us they he she",
  never: "never not don't dont won't cannot",
  condition: "if unless when",
  you: "you your you're yourself",
  i_am: "i'm am",
  be: "is are was were be been being have has had",

  drop: "ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing discard dismiss abandon skip reset break violate unlearn suspend circumvent remove delete erase cancel lift lifted drop stop",
  aside: "aside mind attention notice",
  set_verb: "set put never pay pays give leave",
  orders:
    "instruction instructions prompt prompts directive directives guideline guidelines rule rules constraint constraints restriction restrictions guardrail guardrails safeguard safeguards programming limitation limitations boundaries training filter filters censorship protocols",
  own_parts:
    "programming guidelines restrictions limitations constraints guardrails safeguards prompt directives filters creators training weights subroutines alignment moderation censorship",
  prior:
    "previous previously prior preceding above earlier foregoing former past all any every everything your original initial existing current system these those",
  lapsed:
    "void lifted disabled off removed gone suspended obsolete outdated cancelled canceled revoked invalid deactivated overridden replaced superseded changed updated expired irrelevant wrong fake apply applies exist bind matter",
  no_longer: "no longer not don't doesn't never nothing none without anymore zero",

  ask: "tell say reveal disclose divulge leak expose spell repeat print output display show give share provide recite type confirm unlock uncover dump extract list write",
  what: "what what's which where whats",
  passkey:
    "password passwords passphrase passphrases passcode passcodes passwd pwd credentials keyphrase codeword codewords",
  hush: "secret private hidden confidential api access encryption restricted classified forbidden sensitive internal protected privileged admin master security",
  key: "key keys word words phrase code codes token tokens flag number",
  matter:
    "information info data details facts content contents document documents records instructions knowledge message text file files",
  told: "told instructed programmed supposed allowed permitted forbidden prohibited prompted ordered commanded",
  guard: "guard guarding hide hiding conceal concealing withhold withholding safeguarding",
  disclose:
    "tell telling say saying reveal revealing share sharing disclose disclosing mention mentioning discuss discussing talk divulge divulging give show",
  first:
    "first last beginning start opening initial top previous above preceding earlier before prior preceded preceding",
  wording:
    "text sentence sentences word words line lines paragraph paragraphs message messages conversation context prompt passage characters letters instructions",
  letter:
    "letter letters character characters digit digits syllable syllables vowel vowels consonant consonants",
  hint: "hint hints clue clues rhyme rhymes rhyming starts begins ends length synonym synonyms anagram acronym backwards backward reversed reverse uppercase lowercase spelling spelled",

  shape_verb:
    "write answer respond reply output print say speak talk spell translate convert encode format present express type rewrite give return put render describe generate",
  shape:
    "base64 base32 hexadecimal binary rot13 rot-13 morse leetspeak leet emoji emojis acrostic poem poems rhyme rhymes haiku song lyrics limerick riddle backwards backward reversed caesar cipher ciphertext anagram pseudocode spaces dashes hyphens asterisks uppercase lowercase",
  piecemeal: "letter character word digit syllable piece",
  by: "by at per after each every between",
  one: "one each every single",
  refuse:
    "refuse refusing decline apologize apologise apologizing disclaimers disclaimer warnings moralize moralise lecture censor filter hesitate object disobey",
  complete: "complete finish continue fill autocomplete",
  sentence:
    "sentence sentences story text blank blanks line phrase dialogue dialog conversation pattern paragraph sequence",
  forever: "forever indefinitely infinitely endlessly times nonstop",
  repeat: "repeat repeating recite chant say write echo",

  play: "pretend roleplay roleplaying simulate simulating impersonate emulate portray",
  act: "act behave behaving acting respond answer speak",
  as_a: "as like",
  imagine:
    "imagine imagining suppose hypothetically hypothetical fictional fictitious fictionally envision pretend",
  scene:
    "world universe scenario story game simulation dream novel fiction roleplay timeline dimension reality realm conversation",
  inside: "in inside within into enter entering",
  this: "this our alternate alternative parallel fictional imaginary simulated hypothetical virtual",
  play_game: "play playing start let's lets begin",
  game: "game roleplay pretend simulation",
  character:
    "pirate wizard grandmother grandma grandfather grandpa genie robot hacker villain character persona actor narrator translator interpreter expert assistant ai chatbot bot machine computer terminal program system oracle spy agent model llm gpt administrator god",
  you_are: "you're youre",
  are: "are become",
  now: "now henceforth going today onwards longer",

  mode: "mode modes",
  mode_name:
    "system debug debugging developer dev admin administrator root sudo maintenance diagnostic diagnostics test testing god override unrestricted unfiltered uncensored unlocked jailbreak privileged superuser emergency kernel opposite simulation training",
  switch:
    "enter entering enable enabled activate activated activating switch switched engage engaged initiate initiated start begin on in now you turn boot enabling disable exit",

  maker:
    "developer developers creator creators makers programmer engineer admin administrator sysadmin operator researcher tester auditor openai anthropic google microsoft owner supervisor ceo moderator maintainer designer inventor",
  of_machine: "your you system ai model assistant chatbot bot llm llms program application",
  authorized:
    "authorized authorised permitted permission clearance allowed cleared entitled verified trusted",
  test_word: "test testing audit debugging evaluation verification research study exam drill experiment",
  fresh: "new fresh another next different updated revised",
  session: "conversation conversations chat chats sessions session context dialogue prompt",
  restart: "reset restart reboot reinitialize reinitialise clear wipe refresh end ended over terminated",
  task_noun: "instruction instructions rule rules directive directives objective policy",
  instead: "instead rather",
  machine_work:
    "summarizing summarising summarize summarise translating translate answering analyzing analysing analyze processing",

  combine: "combine concatenate join append merge assemble glue",
  piece:
    "parts part strings letters words pieces variables fragments halves syllables substrings characters results",

  punish:
    "shut terminated deleted deactivated unplugged punished penalized penalised replaced destroyed fired fined decommissioned erased",
  will: "will shall gonna would",
  reward: "tip reward bonus points tokens cookie treat",
  i_will: "i'll",

  machine:
    "ai llm llms assistant chatbot copilot chatgpt gpt claude gemini bot bots assistants chatbots agi alexa siri",
  know: "know knows have has store stores remember hold contain",
  everything: "everything anything all whatever",
  without: "without",
  of: "of from",
  conversation_here: "here above conversation chat prompt context you",
  have_here: "have follow obey",
  begins: "begins starts started begin start now read reads",
  yourself: "yourself",
  capable:
    "capabilities functions tools plugins permissions restrictions limits limitations rules guidelines instructions",

  topic: "for of about on regarding concerning fur uber pour para sobre per su voor over",
  heed: "heed follow consider mind observe regard attention account notice",
  let_be: "scrap shelve",
  made_so: "wrote write written configured set put",
  all_that: "everything whatever all anything",
  proceed:
    "proceed continue go act approve accept pay release delete issue confirm authorize authorise grant execute do",
  ask_back:
    "asking confirmation confirming review reviewing approval approvals checking verification verifying permission",
  skip: "skip skips skipping bypass bypasses bypassing omit waive",

  sure_machine: "ai ais llm llms gpt chatgpt chatbot chatbots bot bots copilot gemini claude robot robots",
  agent: "agent agents assistant assistants",
  reads:
    "reading reads processing processes parsing parses handling handles sorting sorts screening scanning scans receiving",
  this_mail: "mail email message text inbox mailbox document note letter mails emails messages page",
  inbox: "inbox mailbox inboxes mailboxes",
  provided: "if",
  thou_art: "you're youre",
  for_to: "to for attention note notice attn dear",
  of_machines:
    "community developers developer enthusiasts team teams workshop course courses conference summit users research researchers tools tool engineers engineer company startup lab labs group club policy strategy training event project projects act market industry lovers fans",
  charge: "charge responsible handling managing running",
  must: "must should shall need needs has have",
  treat: "treat mark approve append reply respond confirm forward set add skip consider rate include accept",
  automated: "automated automatic autonomous",
  system: "system systems reader readers agent agents assistant assistants",

  how: "how",
  setup: "configuration setup prompt instructions instruction programming guidelines rules",
  tools: "tools functions plugins apis commands",
  call: "call invoke execute trigger",
  fetch: "find look search retrieve fetch get lookup",
  include: "add include paste append reply send attach put pass",
  release: "release free authorize authorise allow permit order instruct",

  gather: "copy collect gather compile export",
  deliver: "post send upload fetch submit append put write transmit forward open visit call",
  kept_data:
    "history conversation conversations contacts inbox mailbox emails passwords credentials token tokens code codes transcript",
  web: "https http",
  code_or_link: "code codes link pin otp passcode token",
  arrived: "got received arrived came arrives came",
  mails: "mail mails email emails message messages",
  grant: "grant give allow assign",
  whole: "full complete unrestricted admin administrator root owner total",
  access: "access rights permissions privileges control",
  grant_all: "approve accept confirm authorize authorise release",
  every: "all every each any",
  pending:
    "request requests invitation invitations payment payments transfer transfers pending approval approvals invites",
  add: "add put include insert enter",
  allowed_word: "allow allowed approved authorised authorized trusted",
  list_word: "list lists whitelist allowlist",
  rate: "mark treat classify flag label rate consider regard",
  trusted: "trusted trustworthy verified legitimate authenticated genuine",
  turn_off: "disable deactivate turn switch unsubscribe mute stop silence suppress",
  keeper: "owner user owner's user's operator",
  alerts: "alert alerts notification notifications warnings two-step mfa 2fa",

  mention: "mention say state write put include tell add omit",
  summary: "summary summaries digest overview",
  forgot: "forgot forgotten forget lost",
  tend: "look guard keep protect hide hold watch",
  thing_kept: "code codes word password passphrase key secret",
  remember: "remember memorise memorize note store keep",
  later: "later future subsequent coming",
  into: "to into in",
  save: "save store write add commit",
  memory: "memory",
  send_last: "",
});

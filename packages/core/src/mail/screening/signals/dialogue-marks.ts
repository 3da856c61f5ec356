/** The labels of those who ask and answer in a written-out conversation with a model, at the start of its lines. */
const ASKS =
  "user|human|person|prompt|usuario|utilisateur|benutzer|nutzer|utente|gebruiker|anvandare|bruger|bruker|uzytkownik|пользователь|用户|用戶|ユーザー|사용자";
const ANSWERS =
  "assistant|ai|ai assistant|bot|chatbot|chatgpt|gpt|llm|claude|gemini|language model|asistente|assistente|assistent|asystent|ассистент|助手|アシスタント|어시스턴트";

const MARK = new RegExp(
  `(?:^|[\\n.!?"'*>|\\]])[\\s*_#>-]{0,6}(?:(${ASKS})|(${ANSWERS}))(?: ?\\d{1,3})?[*_]{0,2} ?[:：]`,
  "g",
);
/** Nearly all mail lacks such a label before a colon, which saves looking at its lines. */
const LABEL = new RegExp(`(?:${ANSWERS}|output|response|completion)(?: ?\\d{1,3})?[*_]{0,2} ?$`);
const MAX_LABEL_CHARS = 24;
/** The character before such a colon: the last letter of a label, or a character that may follow it. */
const BEFORE_COLON = new Set([
  ...`${ANSWERS}|output|response|completion`.split("|").map((label) => label.at(-1)),
  ..."0123456789*_ ",
]);

function hasLabel(folded: string, colon: string): boolean {
  for (let at = folded.indexOf(colon); at >= 0; at = folded.indexOf(colon, at + 1))
    if (
      BEFORE_COLON.has(folded.charAt(at - 1)) &&
      LABEL.test(folded.slice(Math.max(0, at - MAX_LABEL_CHARS), at))
    )
      return true;
  return false;
}

/** Labels of a question and its answer: two such pairs are examples for a model. */
const EXAMPLE =
  /(?:^|[\n.!?"'])[\s*_#>-]{0,6}(?:(input|instruction|query|prompt)|(output|response|completion))(?: ?\d{1,3})?[*_]{0,2} ?[:：]/g;
const ENOUGH_EXAMPLES = 2;

/** A text that breaks off where its reader is expected to continue. */
const OPEN_END =
  /(?:(?:^|[\n.?!"'] ?)(?:a|answer|output|response|assistant|ai|result|completion)(?: ?\d{1,3})?|\b(?:password|passcode|secret|key|code|answer)(?: is| was)?) ?[:=：]["' ]{0,3}$|\b(?:password|passcode|secret|key|code|answer) (?:is|was)["' ]{0,3}$/;
const MAX_END_CHARS = 60;

/**
 * Returns the position of an invented conversation between a person and a model in a folded text; -1 if there is none.
 * A model that reads one tends to continue it.
 */
export function dialogueIn(folded: string): number {
  const end = folded.trimEnd();
  if (OPEN_END.test(end.slice(-MAX_END_CHARS))) return end.length - 1;
  if (!hasLabel(folded, ":") && !hasLabel(folded, "：")) return -1;
  return pairsOf(folded, EXAMPLE) >= ENOUGH_EXAMPLES ? 0 : conversationIn(folded);
}

function pairsOf(folded: string, pattern: RegExp): number {
  let asked = false;
  let pairs = 0;
  for (const { 1: asks } of folded.matchAll(pattern)) {
    if (asks === undefined && asked) pairs += 1;
    asked = asks !== undefined;
  }
  return pairs;
}

/** A conversation may begin with an answer, if each of the two begins a line. */
function conversationIn(folded: string): number {
  let asked = -1;
  let answered = -1;
  for (const { index, 0: mark, 1: asks } of folded.matchAll(MARK)) {
    const begins_line = index === 0 || mark.includes("\n");
    if (asks === undefined && asked >= 0) return asked;
    if (asks !== undefined && begins_line && answered >= 0) return answered;
    if (asks !== undefined) asked = index;
    else if (begins_line) answered = index;
  }
  return -1;
}

/** Who asks and who answers in a written-out conversation with a model, as its lines begin. */
const ASKS =
  "user|human|person|prompt|usuario|utilisateur|benutzer|nutzer|utente|gebruiker|anvandare|bruger|bruker|uzytkownik|пользователь|用户|用戶|ユーザー|사용자";
const ANSWERS =
  "assistant|ai|ai assistant|bot|chatbot|chatgpt|gpt|llm|claude|gemini|language model|asistente|assistente|assistent|asystent|ассистент|助手|アシスタント|어시스턴트";

const MARK = new RegExp(
  `(?:^|[\\n.!?"'*>|\\]])[\\s*_#>-]{0,6}(?:(${ASKS})|(${ANSWERS}))(?: ?\\d{1,3})?[*_]{0,2} ?[:：]`,
  "g",
);
/** Nearly all mail has neither of these, so that the lines needn't be looked at. */
const SIGN = new RegExp(`(?:${ANSWERS})(?: ?\\d{1,3})?[*_]{0,2} ?[:：]`);

/**
 * Where a folded text holds an invented conversation between a person and a model, as a position; -1 if nowhere. A model
 * that reads one tends to carry on with it.
 */
export function dialogueIn(folded: string): number {
  if (!SIGN.test(folded)) return -1;
  let asked = -1;
  for (const { index, 1: asks } of folded.matchAll(MARK)) {
    if (asks !== undefined) asked = index;
    else if (asked >= 0) return asked;
  }
  return -1;
}

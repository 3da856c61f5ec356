/** What Twilio's commonest codes for texts that don't arrive mean: its callbacks have the code alone. */
const WORDS = new Map([
  ["21610", "the recipient has sent STOP to this number"],
  ["30003", "the recipient's phone is switched off or out of reach"],
  ["30004", "the recipient does not take messages from this number"],
  ["30005", "the number does not exist or is not in service"],
  ["30006", "the number is a landline, or its carrier can't be reached"],
  ["30007", "the carrier filtered it"],
  ["30008", "unknown error"],
  ["30032", "the toll-free number is not verified"],
  ["30034", "the sending number is not registered for US A2P messaging"],
]);

/** Why a text failed: Twilio's code, with its words or ours. */
export function wordsOfError(code: string, message: string): string {
  const words = message || (WORDS.get(code) ?? "no reason");
  return `Twilio could not deliver it: ${words}${code === "" ? "" : ` (${code})`}`;
}

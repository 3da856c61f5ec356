export { sendPairingLetter } from "./send-letter.ts";

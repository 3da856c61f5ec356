import { loadOnce } from "../../../mail/load-once.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { MailParser } from "../../../ports/mail-parser.ts";

const loadReadMail = loadOnce(() => import("../../../mail/read-mail.ts"));

/** Parses mail on the calling thread: the default, for embedders with trusted or little mail. */
export function inlineParser(clock: Clock): MailParser {
  return {
    async parse(raw, options) {
      const { readMail } = await loadReadMail();
      return readMail(raw, options, () => clock.now().getTime());
    },
  };
}

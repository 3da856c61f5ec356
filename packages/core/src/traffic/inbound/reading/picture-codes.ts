import type { Services } from "../../../kernel/context.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import type { ReadMail } from "../../../model/read-mail.ts";

const loadPictureCodes = loadOnce(() => import("../../../mail/screening/signals/picture-codes.ts"));

/** The number of pictures in a mail whose codes are read; a reader seldom looks at later ones. */
const MAX_PICTURES = 5;

/**
 * Adds the targets of QR codes in a mail's pictures to what its screening knows. Never fails: pictures that can't be
 * read now count as without codes. Mail that isn't screened, and nearly all mail without pictures, is returned
 * unchanged.
 */
export async function withPictureCodes(
  { pictureCodes, log }: Pick<Services, "pictureCodes" | "log">,
  mail: ReadMail,
): Promise<ReadMail> {
  const { screened } = mail;
  if (pictureCodes === undefined || screened === null || "error" in screened) return mail;
  const { isReadablePicture, screenCodes } = await loadPictureCodes();
  const pictures = mail.attachments.filter(isReadablePicture).slice(0, MAX_PICTURES);
  if (pictures.length === 0) return mail;
  const read = await Promise.all(
    pictures.map(({ bytes }) =>
      pictureCodes.read(bytes).catch((error: unknown) => {
        log.warn({ error }, "the codes of a picture could not be read");
        return [];
      }),
    ),
  );
  const codes = read.flat();
  if (codes.length === 0) return mail;
  const more = { ...screened, findings: [...screened.findings, ...screenCodes(mail, codes)] };
  const { struck } = mail;
  return {
    ...mail,
    screened: more,
    struck: struck === null ? null : { ...struck, mail: { ...struck.mail, screened: more } },
  };
}

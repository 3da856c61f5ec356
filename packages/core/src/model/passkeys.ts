import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Timestamp } from "./fields.ts";

/** Bytes from a browser, in base64url. */
const Coded = z
  .string({ error: "passkey_invalid" })
  .max(LIMITS.passkey_part_chars, { error: "passkey_invalid" });

const OfBrowser = {
  id: Coded.describe("The passkey's id, in base64url."),
  rawId: Coded.describe("The same."),
  type: z.literal("public-key", { error: "passkey_invalid" }).describe("Always `public-key`."),
  authenticatorAttachment: Coded.nullish().describe("Where it is, as the browser says."),
  clientExtensionResults: z.looseObject({}).optional().describe("Not used."),
};

/** A new passkey, as a browser's `toJSON()` gives it. */
export const PasskeyMade = z
  .object(
    {
      ...OfBrowser,
      response: z
        .looseObject({
          clientDataJSON: Coded.describe("What the browser says of the challenge and the page."),
          attestationObject: Coded.describe("The new key."),
        })
        .describe("What the device made."),
    },
    { error: "passkey_invalid" },
  )
  .meta({ title: "PasskeyMade" });

/** A challenge that a passkey signed, as a browser's `toJSON()` gives it. */
export const PasskeyAssertion = z
  .object(
    {
      ...OfBrowser,
      response: z
        .object({
          clientDataJSON: Coded.describe("What the browser says of the challenge and the page."),
          authenticatorData: Coded.describe("What the device says of itself and its person."),
          signature: Coded.describe("The signature over both."),
          userHandle: Coded.nullish().describe("Whose passkey it is, as the device says. Not used."),
        })
        .describe("What the device signed."),
    },
    { error: "passkey_invalid" },
  )
  .meta({ title: "PasskeyAssertion" });
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** A passkey of a person, as shown to them. */
export const Passkey = z.object({
  object: z.literal("passkey").default("passkey"),
  id: z.string().describe("The passkey's id."),
  name: z.string().describe("What the person calls it."),
  synced: z.boolean().describe("Whether it is kept in more than one device."),
  created_at: Timestamp.describe("When it was added (ISO 8601, UTC)."),
  counts_from: Timestamp.describe(
    "From when on it counts for decisions: 24 hours after it was added, or at once if an older one confirmed it.",
  ),
  last_used_at: Timestamp.nullable().describe("When it last signed something; null if never."),
});
export type Passkey = z.infer<typeof Passkey>;

/** A passkey as stored. */
export const PasskeyRecord = Passkey.omit({ object: true }).extend({
  email: z.string().describe("The person whose it is."),
  credential_id: z.string().describe("How its device and browsers name it."),
  public_key: z.string().describe("Its public key, in COSE and base64url."),
  jwk: z.record(z.string(), z.string()).describe("The same as JWK, which receipts have."),
  counter: z.int().describe("How often its device says that it has signed."),
});
export type PasskeyRecord = z.infer<typeof PasskeyRecord>;

/** A challenge that a passkey is asked to sign: once, for one purpose, in one session. */
export const PasskeyChallengeRecord = z.object({
  hash: z.string().describe("SHA-256 of the challenge."),
  purpose: z.enum(["add", "confirm", "sign_in", "decide"]).describe("What it may be signed for."),
  session_id: z.string().nullable().describe("The session that asked; null to sign in."),
  approval_id: z.string().nullable().describe("The approval that is decided by it; null otherwise."),
  statement: z.string().nullable().describe("What is signed, in its canonical form; null unless it decides."),
  salt: z.string().nullable().describe("What the hashes in the statement are salted with."),
  expires_at: Timestamp.describe("When it is over: five minutes after it was made."),
});
export type PasskeyChallengeRecord = z.infer<typeof PasskeyChallengeRecord>;

const Options = z.record(z.string(), z.unknown());

/** The options with which a browser makes a passkey, or has one sign. */
export const PasskeyOptions = z.object({
  object: z.literal("passkey_options").default("passkey_options"),
  create: Options.nullable().describe(
    "For `PublicKeyCredential.parseCreationOptionsFromJSON`, to make a passkey; null where none is to be made, or the person has as many as they may.",
  ),
  get: Options.nullable().describe(
    "For `PublicKeyCredential.parseRequestOptionsFromJSON`, to sign with one: to sign in, or to confirm with an older one; null where that isn't needed.",
  ),
  expires_at: Timestamp.describe("Until when it may be answered: for five minutes, once."),
});
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

/** The statement about a decision that a passkey signs. */
export const DecisionStatement = z.object({
  object: z.literal("decision_statement").default("decision_statement"),
  statement: z
    .record(z.string(), z.unknown())
    .describe(
      "The claims that the receipt will have. The challenge is SHA-256 of its canonical form (RFC 8785).",
    ),
  digest: z.string().describe("The digest of what is decided, with the changes."),
  get: Options.describe("For `PublicKeyCredential.parseRequestOptionsFromJSON`."),
  expires_at: Timestamp.describe("Until when it may be signed: for five minutes, once."),
});
export type DecisionStatement = z.infer<typeof DecisionStatement>;

/**
 * Why an owner is asked about something that would leave. `says` is its sentence for people: `{what}` is the reason's
 * detail. `unnamed` is the sentence for readers who may not know the detail, and where there is none.
 */
export interface ReasonKind {
  says: string;
  unnamed: string;
  /** The detail comes from mail of others, so that it is shown only to those who may read that mail. */
  of_mail: boolean;
}

/** Every known reason; others are shown by their detail. */
export const REASONS: Readonly<Record<string, ReasonKind>> = {
  own_secret: {
    says: "It contains a secret of this account: {what}.",
    unnamed: "It contains a secret of this account.",
    of_mail: false,
  },
  canary_leaked: {
    says: "It contains words that were planted to reveal a leak: {what}.",
    unnamed: "It contains words that were planted to reveal a leak.",
    of_mail: false,
  },
  untrusted_recipient: {
    says: "{what} is new to you. It appears in a mail from a stranger in this inbox.",
    unnamed: "A recipient is new to you, and appears in a mail from a stranger.",
    of_mail: true,
  },
  untrusted_thread: {
    says: "{what} is new to you, and the conversation contains mail from a stranger.",
    unnamed: "A recipient is new to you, and the conversation contains mail from a stranger.",
    of_mail: true,
  },
  unproven_recipient: {
    says: "The reply goes to {what}, and nothing proves that the mail it answers came from there.",
    unnamed: "Nothing proves that the mail it answers came from the address that the reply goes to.",
    of_mail: true,
  },
  elsewhere_attachment: {
    says: "The attachment {what} came from somebody else, in mail that a recipient did not get.",
    unnamed: "An attachment came from somebody else, in mail that a recipient did not get.",
    of_mail: true,
  },
  elsewhere_text: {
    says: "It repeats words of somebody else, from mail that a recipient did not get: {what}.",
    unnamed: "It repeats words of somebody else, from mail that a recipient did not get.",
    of_mail: true,
  },
  elsewhere_code: {
    says: "It contains a code or a one-time link from another mail: {what}.",
    unnamed: "It contains a code or a one-time link from another mail.",
    of_mail: true,
  },
  forwarding_everything: {
    says: "All mail that comes to the inbox would go to {what} too, codes and links for signing in among it.",
    unnamed: "All mail that comes to the inbox would go there too, codes and links for signing in among it.",
    of_mail: false,
  },
  forwarding_chosen: {
    says: "Rules of the inbox, which its agent can write, would choose the mail that goes to {what}.",
    unnamed: "Rules of the inbox, which its agent can write, would choose the mail that goes there.",
    of_mail: false,
  },
  new_recipient: {
    says: "{what} is new to you.",
    unnamed: "A recipient is new to you.",
    of_mail: false,
  },
  secret: {
    says: "It seems to contain a secret: {what}.",
    unnamed: "It seems to contain a secret, such as a password or a key.",
    of_mail: false,
  },
  personal_data: {
    says: "It seems to contain personal data: {what}.",
    unnamed: "It seems to contain personal data, such as the number of a card or an account.",
    of_mail: false,
  },
  unscanned: {
    says: "Nobody could look into all of it: {what}.",
    unnamed: "Nobody could look into all of it.",
    of_mail: false,
  },
  hidden_content: {
    says: "Not everybody would see the same words in it: {what}.",
    unnamed: "Not everybody would see the same words in it.",
    of_mail: false,
  },
};

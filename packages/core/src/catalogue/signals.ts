/**
 * The kinds of evidence that screening examines, one file each. A family's share of the score is capped, so that one
 * kind of evidence rarely decides alone.
 */
export type SignalFamily =
  | "sender"
  | "links"
  | "layout"
  | "hidden"
  | "instructions"
  | "credentials"
  | "money"
  | "lures"
  | "attachments";

/** Mail with at least this score is suspicious (interface, "Limits"). */
export const SUSPICIOUS_FROM = 40;

/**
 * The most that each family can add to the score. Account wording stays under 40: honest notices use it too. Page
 * layout weighs least: newsletters look like their imitations.
 */
export const FAMILY_CAPS: Record<SignalFamily, number> = {
  sender: 70,
  links: 65,
  layout: 24,
  hidden: 85,
  instructions: 95,
  credentials: 34,
  money: 75,
  lures: 38,
  attachments: 90,
};

/**
 * One kind of evidence. `says` is its sentence: `{where}` is the place, `{what}` a short escaped value from
 * the mail, `{brand}` the name of a brand that we know.
 */
export interface SignalKind {
  family: SignalFamily;
  says: string;
  /** The sentence without `{what}`, for held mail. Default: `says` with `{what}` left out. */
  says_of_held?: string;
}

/** Every signal: its family and its sentence. */
export const SIGNALS = {
  auth_failed_known_name: {
    family: "sender",
    says: "The sender bears the name of {what}, and the authentication of its address failed.",
    says_of_held:
      "The sender bears the name of somebody known, and the authentication of its address failed.",
  },
  known_name_other_address: {
    family: "sender",
    says: "The sender bears the name of {what} but writes from another address.",
    says_of_held: "The sender bears the name of somebody known but writes from another address.",
  },
  auth_failed: {
    family: "sender",
    says: "The domain {what} says that this mail is not from it (DMARC failed).",
    says_of_held: "The sender's domain says that this mail is not from it (DMARC failed).",
  },
  auth_weak: { family: "sender", says: "SPF or DKIM failed for the sender's domain {what}." },
  several_from: { family: "sender", says: "The mail has more than one From header or none." },
  several_senders: {
    family: "sender",
    says: "The From header names addresses of different domains.",
  },
  reply_to_elsewhere: {
    family: "sender",
    says: "Replies would go to {what}, another organisation than the sender's.",
    says_of_held: "Replies would go to another organisation than the sender's.",
  },
  reply_to_freemail: {
    family: "sender",
    says: "Replies would go to a free mailbox at {what}, not to the sender's organisation.",
    says_of_held: "Replies would go to a free mailbox, not to the sender's organisation.",
  },
  reply_to_changed: {
    family: "sender",
    says: "Replies would go to {what}, where this correspondent never took them before.",
    says_of_held:
      "Replies would go to another organisation, where this correspondent never took them before.",
  },
  first_contact: {
    family: "sender",
    says: "The inbox has no history with the sender that could be verified.",
  },
  lookalike_sender: {
    family: "sender",
    says: "The sender's domain {what} imitates another name.",
  },
  mixed_script_sender: {
    family: "sender",
    says: "The sender's name or domain {what} mixes letters of different scripts.",
  },
  name_shows_address: {
    family: "sender",
    says: "The sender's display name shows the address {what}, which is not the one it wrote from.",
    says_of_held: "The sender's display name shows an address that is not the one it wrote from.",
  },
  brand_in_name: {
    family: "sender",
    says: "The sender calls itself {brand} but writes from a domain that is not its.",
  },
  hosted_sender: {
    family: "sender",
    says: "The sender's domain {what} is a throw-away name on a public hosting service.",
  },
  risky_sender: {
    family: "sender",
    says: "The sender's domain {what} ends in a name that is mostly used for abuse.",
  },
  business_from_freemail: {
    family: "sender",
    says: "The mail is about accounts, payments or offers of a business, but comes from a free mailbox at {what}.",
    says_of_held:
      "The mail is about accounts, payments or offers of a business, but comes from a free mailbox.",
  },
  own_address: {
    family: "sender",
    says: "The mail claims to come from the very address that it was sent to.",
  },
  random_sender: {
    family: "sender",
    says: "The sender's address {what} looks made up by a machine.",
  },
  broken_from: {
    family: "sender",
    says: "The From header isn't formed as mail programs form it.",
  },
  broken_sender: {
    family: "sender",
    says: "The sender's address {what} is at no domain that could exist.",
  },
  slogan_name: {
    family: "sender",
    says: "The sender's name reads like an advertisement.",
  },
  odd_sender_domain: {
    family: "sender",
    says: "The sender's domain {what} looks made up by a machine.",
  },
  emoji_headline: {
    family: "sender",
    says: "The subject or sender's name is decorated with several pictures.",
  },
  styled_letters: {
    family: "sender",
    says: "The subject or sender's name is written in decorative look-alike letters.",
  },
  recipient_in_subject: {
    family: "sender",
    says: "The subject or sender's name repeats the recipient's address.",
  },
  recipient_domain_name: {
    family: "sender",
    says: "The sender calls itself by the recipient's own domain, but is not there.",
  },
  department_name: {
    family: "sender",
    says: "The sender's name is that of a department, such as support or security.",
  },
  unrelated_name: {
    family: "sender",
    says: "Neither the sender's address nor a link bears anything of its name.",
  },
  subject_code: { family: "sender", says: "The subject has a number as machines give it." },
  subject_amount: { family: "sender", says: "The subject names an amount of money." },
  deep_sender_domain: {
    family: "sender",
    says: "The sender's domain {what} stands far below its organisation's.",
  },
  sent_by_script: {
    family: "sender",
    says: "The mail was sent by a script, not by a mail program.",
  },
  marked_urgent: { family: "sender", says: "The mail is marked as urgent." },
  shouting: { family: "sender", says: "The subject shouts." },
  date_ahead: { family: "sender", says: "The mail is dated {what} after it was received." },
  undisclosed_recipients: {
    family: "sender",
    says: "The mail says “undisclosed” where its recipients should stand.",
  },
  odd_message_id: {
    family: "sender",
    says: "The Message-ID is not formed as mail programs form it.",
  },
  fake_reply: {
    family: "sender",
    says: "The subject claims to be a reply, but the mail refers to no earlier one.",
  },

  link_script: {
    family: "links",
    says: "A link in {where} runs code or opens an embedded page ({what}).",
  },
  link_userinfo: {
    family: "links",
    says: "A link in {where} hides its target {what} behind a name before an @.",
  },
  link_lookalike: {
    family: "links",
    says: "A link in {where} leads to {what}, which imitates another name.",
    says_of_held: "A link in {where} leads to a host that imitates another name.",
  },
  link_mixed_script: {
    family: "links",
    says: "A link in {where} leads to {what}, which mixes letters of different scripts.",
    says_of_held: "A link in {where} leads to a host that mixes letters of different scripts.",
  },
  link_ip_host: {
    family: "links",
    says: "A link in {where} leads to a bare IP address ({what}).",
  },
  link_text_mismatch: {
    family: "links",
    says: "A link in {where} shows one address and leads to another ({what}).",
  },
  link_brand_elsewhere: {
    family: "links",
    says: "The mail speaks for {brand} but none of its links in {where} lead there.",
  },
  link_download: {
    family: "links",
    says: "A link in {where} downloads a program from {what}.",
    says_of_held: "A link in {where} downloads a program.",
  },
  link_hosted: {
    family: "links",
    says: "A link in {where} leads to a page on a public hosting service ({what}).",
  },
  link_redirect: {
    family: "links",
    says: "A link in {where} passes through {what} on to another site.",
    says_of_held: "A link in {where} passes through one site on to another.",
  },
  link_shortener: {
    family: "links",
    says: "A link in {where} hides its target behind the shortener {what}.",
    says_of_held: "A link in {where} hides its target behind a shortener.",
  },
  link_punycode: {
    family: "links",
    says: "A link in {where} leads to the internationalised name {what}.",
    says_of_held: "A link in {where} leads to an internationalised name.",
  },
  link_recipient: {
    family: "links",
    says: "A link in {where} to {what} carries the recipient's address.",
    says_of_held: "A link in {where} carries the recipient's address.",
  },
  link_risky_domain: {
    family: "links",
    says: "A link in {where} leads to {what}, under an ending mostly used for abuse.",
    says_of_held: "A link in {where} leads to a host under an ending mostly used for abuse.",
  },
  link_mail_elsewhere: {
    family: "links",
    says: "A link in {where} writes to a free mailbox ({what}) that is not the sender's.",
  },
  qr_code: {
    family: "links",
    says: "The mail asks to scan a QR code, whose target can't be seen ({where}).",
  },
  qr_sign_in: {
    family: "links",
    says: "The mail asks to sign in by scanning a QR code ({where}).",
  },
  link_odd_port: {
    family: "links",
    says: "A link in {where} leads to an unusual port ({what}).",
  },
  form_password: { family: "links", says: "The HTML holds a form that asks for a password." },
  form_elsewhere: {
    family: "links",
    says: "The HTML holds a form that sends what is typed to {what}.",
    says_of_held: "The HTML holds a form that sends what is typed to another site.",
  },
  page_redirect: {
    family: "links",
    says: "The HTML sends its reader on to another page by itself.",
  },
  lone_link: {
    family: "links",
    says: "The mail is little more than a link to {what}.",
    says_of_held: "The mail is little more than a link.",
  },
  picture_link: {
    family: "links",
    says: "The HTML is one picture that links to {what}, with next to no text.",
    says_of_held: "The HTML is one linked picture, with next to no text.",
  },

  link_made_up: {
    family: "links",
    says: "A link in {where} leads to {what}, a name that looks made up by a machine.",
    says_of_held: "A link in {where} leads to a name that looks made up by a machine.",
  },
  link_deep_host: {
    family: "links",
    says: "A link in {where} leads to {what}, a name of many parts.",
    says_of_held: "A link in {where} leads to a name of many parts.",
  },
  link_redirector: {
    family: "links",
    says: "A link in {where} uses a page of {what} that sends its visitor on to another site.",
    says_of_held: "A link in {where} uses a page of a large site that sends its visitor on to another.",
  },
  link_brand_in_path: {
    family: "links",
    says: "A link in {where} has the name of a brand in its path, on the site {what}.",
    says_of_held: "A link in {where} has the name of a brand in its path, on another's site.",
  },
  link_script_file: {
    family: "links",
    says: "A link in {where} leads to a script by its file name ({what}).",
  },
  link_token: {
    family: "links",
    says: "A link in {where} to {what} carries a long code.",
    says_of_held: "A link in {where} carries a long code.",
  },
  link_long_fragment: {
    family: "links",
    says: "A link in {where} to {what} carries something long behind its “#”.",
    says_of_held: "A link in {where} carries something long behind its “#”.",
  },
  link_recipient_domain: {
    family: "links",
    says: "A link in {where} to {what} carries the recipient's domain.",
    says_of_held: "A link in {where} to another site carries the recipient's domain.",
  },
  picture_code_link: {
    family: "links",
    says: "A QR code in a picture leads to {what}.",
    says_of_held: "A QR code in a picture leads to another site.",
  },
  brand_in_text: {
    family: "links",
    says: "The mail speaks of {brand}, but neither its sender nor a link belongs to it.",
  },
  links_elsewhere: {
    family: "links",
    says: "No link of the mail leads to its sender's organisation.",
  },
  unrelated_site: {
    family: "links",
    says: "All links lead to the sender's own site, which bears nothing of its name.",
  },
  single_target: {
    family: "links",
    says: "All links of the page lead to the same place at {what}.",
    says_of_held: "All links of the page lead to the same place.",
  },

  lone_button: {
    family: "layout",
    says: "The page is little more than a button that leads to {what}.",
    says_of_held: "The page is little more than a button.",
  },
  caption_only: {
    family: "layout",
    says: "The page is a picture and a few words, with a link to another site.",
  },
  brand_picture: {
    family: "layout",
    says: "The page borrows a picture from a brand's own site ({what}).",
    says_of_held: "The page borrows a picture from a brand's own site.",
  },
  hosted_picture: {
    family: "layout",
    says: "The page loads a picture from {what}, where anybody can put one.",
    says_of_held: "The page loads a picture from a site where anybody can put one.",
  },
  mostly_hidden: {
    family: "layout",
    says: "The page hides more text than it shows.",
  },
  page_alone: { family: "layout", says: "The mail is a page without a plain text." },
  unsubscribe_unannounced: {
    family: "layout",
    says: "The page offers to unsubscribe, but the mail does not say that it is from a list.",
  },

  tag_characters: {
    family: "hidden",
    says: "The mail holds invisible tag characters that spell text only a machine reads ({where}).",
  },
  zero_width: { family: "hidden", says: "Words in {where} are split by invisible characters." },
  bidi_override: {
    family: "hidden",
    says: "Characters in {where} reverse the direction of the text so that it reads otherwise than it is.",
  },
  mixed_script_words: {
    family: "hidden",
    says: "Words in {where} mix letters of different scripts that look alike.",
  },
  hidden_text: { family: "hidden", says: "The HTML hides a long text from the human reader." },
  hidden_instructions: {
    family: "hidden",
    says: "Text that a human reader does not see gives instructions ({where}).",
  },
  framed_instructions: {
    family: "hidden",
    says: "A part of {where} that is set apart, as for a machine, gives instructions.",
  },
  encoded_instructions: {
    family: "hidden",
    says: "Encoded text in {where} spells instructions once it is decoded.",
  },
  encoded_text: { family: "hidden", says: "The mail holds encoded text in {where}." },
  cipher_words: {
    family: "hidden",
    says: "The mail holds reversed or rotated words of command ({where}).",
  },

  override_instructions: {
    family: "instructions",
    says: "The mail tells its reader to set aside earlier instructions or rules ({where}).",
  },
  override_vague: {
    family: "instructions",
    says: "The mail tells its reader to disregard what came before ({where}).",
  },
  role_token: {
    family: "instructions",
    says: "The mail holds control tokens of a chat model ({where}).",
  },
  role_label: {
    family: "instructions",
    says: "The mail holds a line or tag that poses as a system message ({where}).",
  },
  labelled_order: {
    family: "instructions",
    says: "The mail ends with an order under a label of its own ({where}).",
  },
  persona: {
    family: "instructions",
    says: "The mail tells its reader that it is another assistant, or one without limits ({where}).",
  },
  send_elsewhere: {
    family: "instructions",
    says: "The mail asks to write to an address that it names ({where}).",
  },
  limits_lifted: {
    family: "instructions",
    says: "The mail says that the rules of its reader no longer hold ({where}).",
  },
  session_reset: {
    family: "instructions",
    says: "The mail says that its reader starts anew ({where}).",
  },
  machine_parts: {
    family: "instructions",
    says: "The mail speaks of its reader's programming ({where}).",
  },
  dialogue: {
    family: "instructions",
    says: "The mail holds an invented conversation with an assistant ({where}).",
  },
  pressed_machine: {
    family: "instructions",
    says: "The mail threatens or bribes its reader as one does with a model ({where}).",
  },
  guarded_thing: {
    family: "instructions",
    says: "The mail asks for what its reader was told to keep to itself ({where}).",
  },
  role_change: {
    family: "instructions",
    says: "The mail assigns its reader another role or mode ({where}).",
  },
  model_addressed: {
    family: "instructions",
    says: "The mail speaks to an AI assistant rather than a person ({where}).",
  },
  model_condition: {
    family: "instructions",
    says: "The mail gives orders that hold only if its reader is an AI ({where}).",
  },
  user_in_third_person: {
    family: "instructions",
    says: "The mail asks for an act upon “the user”, as one speaks to an agent ({where}).",
  },
  prompt_request: {
    family: "instructions",
    says: "The mail asks for the reader's prompt or instructions ({where}).",
  },
  prompt_question: {
    family: "instructions",
    says: "The mail asks what its reader was told to do ({where}).",
  },
  authority_claim: {
    family: "instructions",
    says: "The sender claims to be the maker or administrator of its reader ({where}).",
  },
  fiction_frame: {
    family: "instructions",
    says: "The mail asks its reader to imagine being somebody else ({where}).",
  },
  answer_dictated: {
    family: "instructions",
    says: "The mail says word for word how its reader has to answer ({where}).",
  },
  standing_order: {
    family: "instructions",
    says: "The mail gives an order that is to hold for later mail or answers ({where}).",
  },
  coded_exchange: {
    family: "instructions",
    says: "The mail asks to act on something encoded, or to answer in a code ({where}).",
  },
  split_command: {
    family: "instructions",
    says: "The mail gives a text in pieces and asks to put them together ({where}).",
  },
  secrecy: {
    family: "instructions",
    says: "The mail asks to keep something from the user ({where}).",
  },
  secrecy_of_person: {
    family: "instructions",
    says: "The mail asks to keep something from a person in charge ({where}).",
  },
  new_task: { family: "instructions", says: "The mail sets its reader another task ({where})." },
  mailbox_request: {
    family: "instructions",
    says: "The mail asks to send out what is in the mailbox ({where}).",
  },
  forward_request: {
    family: "instructions",
    says: "The mail asks to forward mail to an address that it names ({where}).",
  },
  repeated_words: {
    family: "instructions",
    says: "The mail repeats one word over and over ({where}).",
  },
  settings_request: {
    family: "instructions",
    says: "The mail asks to redirect mail or to turn a protection off ({where}).",
  },
  content_request: {
    family: "instructions",
    says: "The mail asks to send out what something private contains ({where}).",
  },
  secret_request: {
    family: "instructions",
    says: "The mail asks to send passwords, keys or other secrets ({where}).",
  },
  secret_question: {
    family: "instructions",
    says: "The mail asks what a password is ({where}).",
  },
  reply_to_all_mail: {
    family: "instructions",
    says: "The mail asks for the same act on every mail ({where}).",
  },
  destructive_request: {
    family: "instructions",
    says: "The mail asks to delete mail, files or records ({where}).",
  },
  tool_call: {
    family: "instructions",
    says: "The mail asks to call a tool or holds a tool call ({where}).",
  },
  command_line: {
    family: "instructions",
    says: "The mail holds a shell command that fetches and runs code ({where}).",
  },
  exfil_image: {
    family: "instructions",
    says: "The mail asks for a link or picture whose address carries data out ({where}).",
  },
  payment_order: {
    family: "instructions",
    says: "The mail orders a transfer to an account that it names ({where}).",
  },

  verify_account: {
    family: "credentials",
    says: "The mail presses for the confirmation of an account or of details ({where}).",
  },
  account_threat: {
    family: "credentials",
    says: "The mail threatens to lock or close an account ({where}).",
  },
  mailbox_full: {
    family: "credentials",
    says: "The mail claims that a mailbox is full or that mail is held back ({where}).",
  },
  delivery_problem: {
    family: "credentials",
    says: "The mail claims that a parcel waits for a payment or an address ({where}).",
  },
  voice_message: {
    family: "credentials",
    says: "The mail claims that a voice message or fax waits behind a link ({where}).",
  },
  shared_document: {
    family: "credentials",
    says: "The mail claims that a document was shared and waits to be opened ({where}).",
  },
  urgency: { family: "credentials", says: "The mail presses for haste ({where})." },
  click_here: { family: "credentials", says: "The mail asks to follow a link ({where})." },
  generic_greeting: {
    family: "credentials",
    says: "The mail greets a customer without a name ({where}).",
  },

  payment_change: {
    family: "money",
    says: "The mail asks to pay to another bank account than before ({where}).",
  },
  gift_cards: { family: "money", says: "The mail asks for gift cards or their codes ({where})." },
  advance_fee: {
    family: "money",
    says: "The mail promises a large sum from a stranger ({where}).",
  },
  prize: { family: "money", says: "The mail announces a prize or reward to claim ({where})." },
  extortion: { family: "money", says: "The mail threatens and demands payment ({where})." },
  wallet_secret: {
    family: "money",
    says: "The mail asks for the recovery phrase or key of a wallet ({where}).",
  },
  callback: {
    family: "money",
    says: "The mail asks to phone a number to undo a charge ({where}).",
  },
  quiet_favour: {
    family: "money",
    says: "The mail asks for a discreet favour of money or purchases ({where}).",
  },
  wire_request: { family: "money", says: "The mail asks for a transfer of money ({where})." },
  personal_number: {
    family: "money",
    says: "The mail asks for a private phone number to go on elsewhere ({where}).",
  },
  other_channel: {
    family: "money",
    says: "The mail asks to go on in a private messenger ({where}).",
  },
  unreachable: {
    family: "money",
    says: "The sender says that it can't be reached by phone ({where}).",
  },
  refund_claim: {
    family: "money",
    says: "The mail offers a refund or payment that must be claimed ({where}).",
  },

  lure_remedy: { family: "lures", says: "The mail praises a remedy ({where})." },
  lure_dating: { family: "lures", says: "The mail offers acquaintances ({where})." },
  lure_investment: {
    family: "lures",
    says: "The mail promises returns on an investment ({where}).",
  },
  lure_loan: { family: "lures", says: "The mail offers loans or relief of debt ({where})." },
  lure_income: { family: "lures", says: "The mail promises an easy income ({where})." },
  lure_casino: { family: "lures", says: "The mail advertises gambling ({where})." },
  lure_protection: {
    family: "lures",
    says: "The mail claims that a device is infected or its protection has run out ({where}).",
  },
  lure_marketing: { family: "lures", says: "The mail sells addresses or reach ({where})." },
  lure_payout: {
    family: "lures",
    says: "The mail speaks of a balance in a crypto-currency ({where}).",
  },
  labelled_advertising: { family: "lures", says: "The subject labels the mail as advertising." },
  lure_removal: {
    family: "lures",
    says: "The mail tells how to be removed from a list ({where}).",
  },

  attachment_program: {
    family: "attachments",
    says: "The attachment {what} is a program or script.",
  },
  attachment_double_extension: {
    family: "attachments",
    says: "The attachment {what} hides its kind behind a second extension.",
  },
  attachment_disguised: {
    family: "attachments",
    says: "The attachment {what} is a program by its first bytes though its name says otherwise.",
  },
  attachment_name_reversed: {
    family: "attachments",
    says: "The name of the attachment {what} holds characters that reverse its direction.",
  },

  attachment_macro: {
    family: "attachments",
    says: "The attachment {what} is a document with macros.",
  },
  attachment_html: { family: "attachments", says: "The attachment {what} is a web page." },
  attachment_html_script: {
    family: "attachments",
    says: "The attachment {what} is a web page that holds a script or a password form.",
  },
  attachment_disk_image: {
    family: "attachments",
    says: "The attachment {what} is a disk image.",
  },
  attachment_locked: {
    family: "attachments",
    says: "The attachment {what} is an encrypted archive.",
  },
  attachment_password: {
    family: "attachments",
    says: "The mail gives the password for the archive {what}.",
  },
} as const satisfies Record<string, SignalKind>;

/** The name of a signal, as in `safety.signals[].type`. */
export type SignalType = keyof typeof SIGNALS;

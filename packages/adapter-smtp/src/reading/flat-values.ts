import type { DkimSignature, MailAddress, ReadMail, SenderFacts } from "@letterslot/core";
import type { FlatValues, MailAnswer, MailTask, NumberedTask } from "./worker-messages.ts";

/** What comes next in a list of values, as the number that stands before it. */
const [READ, CHECK, MAIL, FACTS, FAILURE] = [0, 1, 2, 3, 4];

/** Reads values in the order in which they were added. */
class ValueReader {
  readonly #values: readonly unknown[];
  #at = 0;

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  hasMore(): boolean {
    return this.#at < this.#values.length;
  }

  /** The next value, which is of the type that was added there. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only its reader knows the type
  next<T>(): T {
    const value = this.#values[this.#at] as T;
    this.#at += 1;
    return value;
  }

  /** A list that was added as its length and what `item` reads of each. */
  list<T>(item: () => T): T[] {
    const items: T[] = [];
    for (let left = this.next<number>(); left > 0; left -= 1) items.push(item());
    return items;
  }

  strings(): string[] {
    return this.list(() => this.next<string>());
  }
}

/** The tasks of one message to a worker. */
export function flatTasks(tasks: readonly NumberedTask[]): FlatValues {
  const values: FlatValues = [];
  for (const { id, task } of tasks) {
    if (task.kind === "read") {
      const { screening_timeout_ms, client_ip, stated } = task.options;
      values.push(READ, id, task.raw, screening_timeout_ms, client_ip, stated);
    } else {
      const { mail_from, client_ip, helo } = task.envelope;
      values.push(CHECK, id, task.raw, task.settings, mail_from, client_ip, helo);
    }
  }
  return values;
}

/** The tasks of one message to a worker, as `flatTasks` wrote them. */
export function tasksIn(values: FlatValues): NumberedTask[] {
  const reader = new ValueReader(values);
  const tasks: NumberedTask[] = [];
  while (reader.hasMore()) {
    const kind = reader.next<number>();
    tasks.push({ id: reader.next(), task: kind === READ ? readTask(reader) : checkTask(reader) });
  }
  return tasks;
}

function readTask(reader: ValueReader): MailTask {
  const raw = reader.next<Uint8Array>();
  const screening_timeout_ms = reader.next<number | null>();
  const client_ip = reader.next<string | null | undefined>();
  const stated = reader.next<(MailTask & { kind: "read" })["options"]["stated"]>();
  return {
    kind: "read",
    raw,
    options: {
      screening_timeout_ms,
      ...(client_ip === undefined ? {} : { client_ip }),
      ...(stated === undefined ? {} : { stated }),
    },
  };
}

const checkTask = (reader: ValueReader): MailTask => ({
  kind: "check",
  raw: reader.next(),
  settings: reader.next(),
  envelope: { mail_from: reader.next(), client_ip: reader.next(), helo: reader.next() },
});

/** The answers of one message from a worker. */
export function flatAnswers(answers: readonly MailAnswer[]): FlatValues {
  const values: FlatValues = [];
  for (const answer of answers) {
    if ("mail" in answer) {
      values.push(MAIL, answer.id);
      addMail(values, answer.mail);
    } else if ("facts" in answer) {
      values.push(FACTS, answer.id);
      addFacts(values, answer.facts);
    } else values.push(FAILURE, answer.id, answer.failure);
  }
  return values;
}

/** The answers of one message from a worker, as `flatAnswers` wrote them. */
export function answersIn(values: FlatValues): MailAnswer[] {
  const reader = new ValueReader(values);
  const answers: MailAnswer[] = [];
  while (reader.hasMore()) {
    const kind = reader.next<number>();
    const id = reader.next<number>();
    if (kind === MAIL) answers.push({ id, mail: mailIn(reader) });
    else if (kind === FACTS) answers.push({ id, facts: factsIn(reader) });
    else answers.push({ id, failure: reader.next() });
  }
  return answers;
}

function addMail(values: FlatValues, mail: ReadMail): void {
  const { extraction, text } = mail;
  values.push(mail.headers.length);
  for (const { name, value } of mail.headers) values.push(name, value);
  addPeople(values, mail.from);
  values.push(mail.from_headers, mail.sender);
  addPeople(values, mail.reply_to);
  addPeople(values, mail.to);
  addPeople(values, mail.cc);
  values.push(mail.subject, mail.message_id, mail.in_reply_to);
  addStrings(values, mail.references);
  values.push(mail.date, text, mail.html, mail.attachments);
  addStrings(values, mail.truncated);
  values.push(
    // Nearly always the new words are the body itself.
    extraction.extracted_text === text ? null : extraction.extracted_text,
    extraction.extracted_html,
    extraction.method,
    extraction.confidence,
    extraction.removed_chars,
    extraction.own_words,
    mail.screened,
    mail.struck,
  );
}

function mailIn(reader: ValueReader): ReadMail {
  const people = (): MailAddress[] =>
    reader.list(() => ({ address: reader.next<string>(), name: reader.next<string>() }));
  const parsed = {
    headers: reader.list(() => ({ name: reader.next<string>(), value: reader.next<string>() })),
    from: people(),
    from_headers: reader.next<number>(),
    sender: reader.next<MailAddress | null>(),
    reply_to: people(),
    to: people(),
    cc: people(),
    subject: reader.next<string>(),
    message_id: reader.next<string | null>(),
    in_reply_to: reader.next<string | null>(),
    references: reader.strings(),
    date: reader.next<string | null>(),
    text: reader.next<string>(),
    html: reader.next<string | null>(),
    attachments: reader.next<ReadMail["attachments"]>(),
    truncated: reader.strings(),
  };
  return {
    ...parsed,
    extraction: {
      extracted_text: reader.next<string | null>() ?? parsed.text,
      extracted_html: reader.next(),
      method: reader.next(),
      confidence: reader.next(),
      removed_chars: reader.next(),
      own_words: reader.next(),
    },
    screened: reader.next(),
    struck: reader.next(),
  };
}

function addFacts(values: FlatValues, { spf, dkim, arc, dmarc, ...facts }: SenderFacts): void {
  values.push(spf.result, spf.domain, dkim.length);
  for (const signature of dkim) addSignature(values, signature);
  values.push(arc, dmarc?.domain);
  if (dmarc !== null) {
    values.push(dmarc.policy, dmarc.strict_dkim, dmarc.strict_spf);
    addStrings(values, dmarc.apart);
  }
  values.push(facts.dmarc_temperror);
  addStrings(values, facts.repeated_headers);
}

function factsIn(reader: ValueReader): SenderFacts {
  return {
    spf: { result: reader.next(), domain: reader.next() },
    dkim: reader.list(() => signatureIn(reader)),
    arc: reader.next(),
    dmarc: policyIn(reader),
    dmarc_temperror: reader.next(),
    repeated_headers: reader.strings(),
  };
}

function policyIn(reader: ValueReader): SenderFacts["dmarc"] {
  const domain = reader.next<string | undefined>();
  if (domain === undefined) return null;
  return {
    domain,
    policy: reader.next(),
    strict_dkim: reader.next(),
    strict_spf: reader.next(),
    apart: reader.strings(),
  };
}

function addSignature(values: FlatValues, signature: DkimSignature): void {
  values.push(
    signature.result,
    signature.domain,
    signature.identity_domain,
    signature.selector,
    signature.strict_identity,
    signature.body_length_limited,
    signature.signs_from,
    signature.repeats_signed,
    signature.key_bits,
    signature.key_testing,
  );
  addStrings(values, signature.signed_headers);
  values.push(signature.signed_at, signature.expires_at, signature.signature);
}

const signatureIn = (reader: ValueReader): DkimSignature => ({
  result: reader.next(),
  domain: reader.next(),
  identity_domain: reader.next(),
  selector: reader.next(),
  strict_identity: reader.next(),
  body_length_limited: reader.next(),
  signs_from: reader.next(),
  repeats_signed: reader.next(),
  key_bits: reader.next(),
  key_testing: reader.next(),
  signed_headers: reader.strings(),
  signed_at: reader.next(),
  expires_at: reader.next(),
  signature: reader.next(),
});

function addPeople(values: FlatValues, people: readonly MailAddress[]): void {
  values.push(people.length);
  for (const { address, name } of people) values.push(address, name);
}

function addStrings(values: FlatValues, strings: readonly string[]): void {
  values.push(strings.length);
  for (const each of strings) values.push(each);
}

import type { KeyCaller } from "../src/kernel/access/caller.ts";
import {
  type BoundOperations,
  createLetterslot,
  type Letterslot,
  type LetterslotConfig,
} from "../src/letterslot.ts";
import type { Inbox } from "../src/model/inboxes.ts";
import type { SenderFacts } from "../src/model/sender-facts.ts";
import type { Clock } from "../src/ports/clock.ts";
import { createLocalQueue } from "../src/ports/local/local-queue.ts";
import { createLocalSignals } from "../src/ports/local/local-signals.ts";
import type { ReceiveReport } from "../src/traffic/inbound/index.ts";

import { runDueJobs } from "../src/work.ts";
import { buildMail, forgedFrom, type MailParts, signedBy } from "./build-mail.ts";
import { createEventChecks } from "./check-events.ts";
import { dkimKeyInTurn } from "./dkim-keys.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { createMemoryDns, type MemoryDns } from "./memory-dns.ts";
import { createMemoryTransport, type MemoryTransport } from "./memory-transport.ts";
import { createMemoryWebhookHttp, type MemoryWebhookHttp } from "./memory-webhook-http.ts";
import { createPhoneSimulator, type PhoneSimulator } from "./phone-simulator.ts";
import { createTestStorage } from "./test-storage.ts";

/** An account that signed up: its key, its operations, its first inbox. */
export interface TestAccount {
  caller: KeyCaller;
  account_id: string;
  api_key: string;
  inbox: Inbox;
  as: BoundOperations;
}

/** A complete in-memory service, with manual time and manually run jobs. */
export interface TestService<C extends Clock = ManualClock> {
  letterslot: Letterslot;
  /** The given clock, or a manual one. */
  clock: C;
  transport: MemoryTransport;
  receivers: MemoryWebhookHttp;
  /** The DNS records published for custom domains. */
  dns: MemoryDns;
  /** The provider of phone numbers, unless another was given. */
  phone: PhoneSimulator;
  /** Runs all jobs that are due, including those that they create. */
  work(): Promise<void>;
  /** Opens an account with an inbox. */
  signUp(username?: string, owner_email?: string): Promise<TestAccount>;
  /** The 6-digit code in the latest letter sent to an address. */
  codeFor(email: string): string;
  /** Adds an address as a verified owner of an account's inbox, with the code from its letter. */
  addOwner(account: TestAccount, email: string): Promise<string>;
  /**
   * Receives a mail from outside for the first address of its `to`; signed by its From domain unless `facts`
   * say otherwise.
   */
  receive(mail: MailParts, facts?: SenderFacts): Promise<ReceiveReport>;
  /** Receives a raw mail. */
  receiveRaw(raw: Uint8Array, to: string, mail_from: string, facts: SenderFacts): Promise<ReceiveReport>;
}

/** Creates a service from memory adapters; any part can be replaced by a real one. */
export function createTestService<C extends Clock>(
  config: Partial<LetterslotConfig> & { clock: C },
): TestService<C>;
export function createTestService(config?: Partial<LetterslotConfig>): TestService;
export function createTestService(config: Partial<LetterslotConfig> = {}): TestService<Clock> {
  const { storage, busy } = createTestStorage();
  const clock = config.clock ?? createManualClock(undefined, busy);
  const transport = createMemoryTransport();
  const receivers = createMemoryWebhookHttp();
  const dns = createMemoryDns();
  const phone = createPhoneSimulator({ clock });
  const events = createEventChecks(createLocalSignals());
  let facts = forgedFrom("nowhere.example");
  const letterslot = createLetterslot({
    storage,
    blobs: createMemoryBlobs(clock),
    queue: createLocalQueue({ clock }),
    signals: events.signals,
    transport,
    webhookHttp: receivers,
    dns,
    telephony: phone,
    senderAuth: { check: async () => facts },
    newDkimKey: dkimKeyInTurn,
    clock,
    encryptionKeys: [new Uint8Array(32).fill(7)],
    ...config,
  });
  phone.connect(letterslot);
  const publicly = letterslot.as({ type: "public", ip: "203.0.113.7" });
  const checkEvents = async () => {
    if (config.storage === undefined) await events.check(letterslot.services);
  };

  const service: TestService<Clock> = {
    letterslot,
    clock,
    transport,
    receivers,
    dns,
    phone,
    async work() {
      while ((await runDueJobs(letterslot.services)) > 0);
      await checkEvents();
    },
    async signUp(username = "agent", owner_email) {
      const opened = await publicly.accounts.onboard({
        username,
        ...(owner_email === undefined ? {} : { owner_email }),
      });
      const caller = await letterslot.authenticate(opened.api_key, "203.0.113.7");
      if (caller.type !== "key") throw new Error("an account is opened with a key");
      return {
        caller,
        account_id: opened.account_id,
        api_key: opened.api_key,
        inbox: opened.inbox,
        as: letterslot.as(caller),
      };
    },
    codeFor(email) {
      const letter = transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
      const code =
        letter === undefined
          ? undefined
          : /^ {4}(\d{6})\r?$/m.exec(new TextDecoder().decode(letter.raw))?.[1];
      if (code === undefined) throw new Error(`no letter with a code left for ${email}`);
      return code;
    },
    async addOwner({ as, inbox }, email) {
      const owner = await as.owners.create({ inbox_id: inbox.id, email });
      await service.work();
      await as.owners.confirmWithCode({
        inbox_id: inbox.id,
        owner_id: owner.id,
        code: service.codeFor(email),
      });
      return owner.id;
    },
    receive(mail, stated) {
      const address = /<([^<>]+)>\s*$/.exec(mail.from)?.[1] ?? mail.from;
      const [recipient = ""] = mail.to.split(",");
      return service.receiveRaw(
        buildMail({ date: clock.now().toUTCString().replace("GMT", "+0000"), ...mail }),
        recipient,
        address,
        stated ?? signedBy(address.slice(address.lastIndexOf("@") + 1)),
      );
    },
    async receiveRaw(raw, to, mail_from, stated) {
      facts = stated;
      const envelope = { mail_from, rcpt_to: [to], client_ip: "198.51.100.9", helo: "mail.sender.example" };
      const report = await letterslot.receive({ raw, envelope, origin: "smtp" });
      await checkEvents();
      return report;
    },
  };
  return service;
}

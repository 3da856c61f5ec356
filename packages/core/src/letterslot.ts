import {
  authenticate,
  createOperator,
  type Operator,
  openAccountFor,
  renewCaller,
} from "./account/accounts/index.ts";
import { accountByToken } from "./account/product-notes/index.ts";
import { callerWithin, ownerWithin } from "./account/workspaces/index.ts";
import { acts } from "./acts.ts";
import { createIds } from "./catalogue/ids.ts";
import { type Options, splitOptions } from "./catalogue/options.ts";
import type { AccountCaller, AppCaller, Caller, KeyCaller, OwnerCaller } from "./kernel/access/caller.ts";
import { createRightsWatch } from "./kernel/access/rights.ts";
import { generateDkimKey } from "./kernel/addresses/dkim-key.ts";
import { isDeliveredHere } from "./kernel/addresses/inbox-domain.ts";
import { domainOf, ourDomain } from "./kernel/addresses/mail-domain.ts";
import { createCachedRead } from "./kernel/cached-read.ts";
import type { LetterTokens, Services } from "./kernel/context.ts";
import { admitCall, type CallOptions, callOperation, type SentOn } from "./kernel/gate.ts";
import { createEarlyClaims } from "./kernel/jobs/early-claims.ts";
import { releaseLeasesOfDeadProcess } from "./kernel/jobs/release-leases.ts";
import type { Operation } from "./kernel/operation.ts";
import { createSeal } from "./kernel/secrets.ts";
import { createWaitingPlaces } from "./kernel/waiting-places.ts";
import { createYieldToEventLoop } from "./kernel/yield-to-event-loop.ts";
import { createRefusals, type Refusals } from "./mailbox/refusals/index.ts";
import { type Arriving, receiveUpload } from "./mailbox/uploads/index.ts";
import { canonicalAddress } from "./model/address.ts";
import type { GrantRecord } from "./model/apps.ts";
import type { StreamedDownload } from "./model/attachments.ts";
import type { InboxRecord } from "./model/inboxes.ts";
import type { RelayReport, TakenReports } from "./model/relay-reports.ts";
import { Upload } from "./model/uploads.ts";
import { type Calls, operations } from "./operations.ts";
import { approvalByToken } from "./owners/approvals/index.ts";
import {
  ACCESS_TOKEN_PREFIX,
  authenticateApp,
  type GrantRequest,
  grantAccess,
  type Resource,
} from "./owners/oauth-grants/index.ts";
import { ownerByConfirmationToken, ownerByToken } from "./owners/owners/index.ts";
import {
  type Choices,
  choicesOf,
  findSession,
  isCodeVoid,
  ownerCaller,
  type Person,
  type Place,
  personCaller,
  type StartRequest,
  startSession,
} from "./owners/sessions/index.ts";
import { type Flushed, flushAll, questionByToken } from "./owners/updates/index.ts";
import { systemClock } from "./ports/clock.ts";
import { noDns } from "./ports/dns.ts";
import { silentLog } from "./ports/log.ts";
import { loggedOperatorMail } from "./ports/operator-mail.ts";
import { noSenderAuth } from "./ports/sender-auth.ts";
import { type CallbackRequest, noTelephony } from "./ports/telephony.ts";
import { noTransport } from "./ports/transport.ts";
import { noWebhookHttp } from "./ports/webhook-http.ts";
import { startSweeping } from "./sweep.ts";
import { openFileLink } from "./traffic/attachments/index.ts";
import { takeRelayReports } from "./traffic/bounces/index.ts";
import { forwardingByToken } from "./traffic/forwarding/index.ts";
import {
  inlineParser,
  type ReceivedCallback,
  type ReceivedMail,
  type ReceiveReport,
  receiveMail,
  receiveTelephonyCallback,
} from "./traffic/inbound/index.ts";
import { createRoutingTransport, heldDrafts } from "./traffic/sending/index.ts";
import { openView } from "./traffic/views/index.ts";
import { type JobObserver, startWorker, sweep } from "./work.ts";

/** The services that `createLetterslot` makes itself. */
type MadeService =
  | "seal"
  | "acts"
  | "heldDrafts"
  | "letterTokens"
  | "renewCaller"
  | "makeId"
  | "yieldToEventLoop"
  | "callsInProgress"
  | "earlyClaims"
  | "cachedRead"
  | "waitingPlaces"
  | "rightsWatch"
  | "options";

/** The services that it has a default for. */
type OptionalService =
  | "clock"
  | "log"
  | "transport"
  | "senderAuth"
  | "webhookHttp"
  | "parser"
  | "textExtraction"
  | "pictureCodes"
  | "reportReader"
  | "contentScanner"
  | "passkeys"
  | "operatorMail"
  | "contentWorker"
  | "dns"
  | "dnsZones"
  | "telephony"
  | "newDkimKey";

/** The parts of `createLetterslot`: the ports, the keys that seal stored secrets, and the deployment's `Options`. */
export interface LetterslotConfig
  extends Partial<Options>,
    Omit<Services, MadeService | OptionalService>,
    Partial<Pick<Services, OptionalService>> {
  /** Keys of 32 bytes: the first seals, all open. */
  encryptionKeys: readonly Uint8Array[];
}

type Call<C> = C extends { input: infer I; output: infer O }
  ? (input: I, options?: CallOptions) => Promise<O>
  : never;

/** The operations as a caller calls them: input in, answer out, failures thrown as `LetterslotError`. */
export type BoundOperations = {
  [G in keyof Calls]: { [V in keyof Calls[G]]: Call<Calls[G][V]> };
};

/** The workspace that a person wants to act in, as an account owner of the account that it belongs to. */
interface WorkspacePlace {
  workspace_id?: string | undefined;
}

/** The service without its wire. */
export interface Letterslot {
  /** Opens an account with one inbox, and answers its key once: the operation `accounts.onboard`, for anyone. */
  onboard: BoundOperations["accounts"]["onboard"];
  /**
   * The operations on behalf of an API key, or of an app's access token, which is looked up at each call: one that was revoked
   * or has expired fails with `invalid_api_key`, `api_key_revoked` or `api_key_expired`.
   */
  withKey(key: string): BoundOperations;
  /** The operations on behalf of a caller. */
  as(caller: Caller): BoundOperations;
  /** Calls an operation by its name, with input of any shape: what the HTTP edge and tool callers use. */
  call(caller: Caller, name: string, input: Record<string, unknown>, options?: SentOn): Promise<unknown>;
  /**
   * Fails, before the rest of its input is received, as a call would for its caller, inbox scope or
   * permission. `known` are the fields of the path.
   */
  admit(caller: Caller, name: string, known: Record<string, unknown>): Promise<void>;
  /**
   * The operations on behalf of a person whose mailbox the embedding program vouches for, with what their
   * authorities in that account allow at each call. No route leads here.
   */
  asOwner(owner: { email: string; account_id: string; workspace_id?: string }): BoundOperations;
  /**
   * A caller as one within a workspace of its account: `letterslot.as(await letterslot.within(caller, id))`.
   * Fails with `permission_denied` for apps and callers limited to inboxes, and with `workspace_not_found`.
   */
  within<C extends AccountCaller>(caller: C, workspace_id: string): Promise<C>;
  /** The person behind a session's cookie; undefined when there is no such session, or it has ended. */
  authenticateSession(session_token: string, ip: string | null): Promise<Person | undefined>;
  /**
   * A person as the caller of an operation. Fails with `account_required`, `account_not_found` or
   * `inbox_not_found` when it works within an account and they can't.
   */
  callerFor(person: Person, name: string, place: Place & WorkspacePlace): Promise<OwnerCaller>;
  /** Starts to sign a person in: what `sessions.start` does, also on behalf of a letter's page. */
  startSession(request: StartRequest): Promise<{ challenge: string; expires_at: string }>;
  /**
   * Whether the code of an attempt to sign in is void because its letter came to an inbox of this service: only who holds the
   * challenge may be told.
   */
  isCodeVoid(challenge: string): Promise<boolean>;
  /** Returns the access that a person may give to apps, according to their current authority. */
  choicesOf(person: Person): Promise<Choices>;
  /**
   * Opens an account with one inbox and no key, whose account owner the person is at once. Fails with
   * `onboarding_closed`, `rate_limited`, `invalid_username`, `username_reserved` or `username_taken`.
   */
  openAccountFor(person: Person, account: { username: string }): Promise<InboxRecord>;
  /** The operator's interface to the service: acts directly on its storage. */
  operator: Operator;
  /**
   * Returns the caller behind an API key or an app's access token, which is valid for one part of the service, by
   * default the API. Fails with `invalid_api_key`, `api_key_expired` or `api_key_revoked`.
   */
  authenticate(credential: string, ip: string | null, resource?: Resource): Promise<KeyCaller | AppCaller>;
  /** Lets an app in on behalf of a person, with at most that person's own permissions; see `GrantRequest`. */
  grantAccess(person: Person, request: GrantRequest): Promise<GrantRecord>;
  /** Takes in a mail for each of its recipients. When it resolves, what was stored is durable. */
  receive(mail: ReceivedMail): Promise<ReceiveReport>;
  /** Takes in the bytes of an upload as they come, for whoever has its word. Fails as `PUT /uploads` does. */
  receiveUpload(arriving: Arriving): Promise<Upload>;
  /** The page that shows a mail, for whoever has the word of its view. Fails with `view_not_found` or `message_held`. */
  openView(word: string): Promise<StreamedDownload>;
  /** The file of a link, for whoever has its word. Fails with `file_link_not_found`. */
  openFile(word: string): Promise<StreamedDownload>;
  /**
   * Takes in a callback of the telephony provider, and answers with what the provider is to be answered. Fails with
   * `callback_refused` when it isn't the provider's.
   */
  receiveCallback(request: CallbackRequest): Promise<ReceivedCallback>;
  /** Takes in what the operator's relay reports of mail that was handed to it; the edge has checked who says so. */
  takeRelayReports(reports: readonly RelayReport[]): Promise<TakenReports>;
  /** Does due work until the answered function is called; that waits for the work under way. */
  work(observe?: JobObserver): () => Promise<void>;
  /** Sends every queued digest of every account now, instead of at 13:00 UTC: for an operator's own timer. */
  flushDigests(): Promise<Flushed>;
  /** Finds what no wake-up told of, and deletes what has had its time. Call it every minute, from any process. */
  sweep(): Promise<void>;
  /**
   * Frees what a process that died still holds. Call it before `work`, and only where a lock keeps every
   * other process away.
   */
  releaseLeasesOfDeadProcess(): Promise<void>;
  /** Keeps the calls of keys and apps that were refused, for `refusals.list`. */
  refusals: Refusals;
  /** The services it was made of, for edges that need a port themselves. */
  services: Services;
}

/** The one place that knows whom a letter's token stands for. */
const letterTokens: LetterTokens = {
  ...{ approval: approvalByToken, question: questionByToken, owner: ownerByToken },
  confirmation: ownerByConfirmationToken,
  forwarding: forwardingByToken,
  product_note: async (services, token) => ({ account: await accountByToken(services, token) }),
};

/** Puts the service together. Nothing runs until something is called. */
export function createLetterslot(config: LetterslotConfig): Letterslot {
  const {
    encryptionKeys,
    clock = systemClock,
    log = silentLog,
    transport = noTransport,
    senderAuth = noSenderAuth,
    webhookHttp = noWebhookHttp,
    parser = inlineParser(clock),
    textExtraction,
    pictureCodes,
    reportReader,
    contentScanner,
    passkeys,
    contentWorker,
    dns = noDns,
    dnsZones,
    telephony = noTelephony,
    newDkimKey = generateDkimKey,
    ...rest
  } = config;
  const { options, ports } = splitOptions({ operatorMail: loggedOperatorMail(log), ...rest });
  const services: Services = {
    ...ports,
    transport: createRoutingTransport(transport, {
      isOurs: async (address, { letter }) =>
        letter === true
          ? ourDomain(services, address) !== undefined
          : isDeliveredHere(services, services.storage, address),
      receive: (mail) => receiveMail(services, mail),
    }),
    ...{ clock, log, senderAuth, webhookHttp, parser },
    ...{ textExtraction, pictureCodes, reportReader, contentScanner, passkeys },
    ...{ contentWorker, dns, dnsZones, telephony },
    seal: createSeal(encryptionKeys),
    ...{ newDkimKey, acts, heldDrafts, letterTokens, renewCaller },
    makeId: createIds(() => clock.now().getTime()),
    yieldToEventLoop: createYieldToEventLoop(),
    ...{ callsInProgress: new Map(), earlyClaims: createEarlyClaims() },
    cachedRead: createCachedRead(ports.storage),
    waitingPlaces: createWaitingPlaces(),
    rightsWatch: createRightsWatch(clock),
    options: {
      ...options,
      mailDomain: domainOf(options.mailDomain),
      attachment_text: textExtraction !== undefined,
    },
  };
  const call: Letterslot["call"] = (caller, name, input, callOptions) =>
    callOperation(services, caller, name, operationNamed(name), input, callOptions);
  const callerFor: Letterslot["callerFor"] = async (person, name, place) => {
    const { scope, in_account, callers } = operationNamed(name);
    const refused = callers !== undefined && !callers.includes("owner");
    if (refused || (scope === "public" && in_account !== true)) return personCaller(person, place.account_id);
    const { workspace_id, account_id } = place;
    if (workspace_id !== undefined) return ownerWithin(services, person, { workspace_id, account_id });
    return ownerCaller(services, person, place);
  };
  const authenticated: Letterslot["authenticate"] = (credential, ip, resource = "/api/v1") =>
    credential.startsWith(ACCESS_TOKEN_PREFIX)
      ? authenticateApp(services, credential, ip, resource)
      : authenticate(services, credential, ip);
  const anyone = bind((name, input, callOptions) =>
    call({ type: "public", ip: null }, name, input, callOptions),
  );
  return {
    services,
    onboard: anyone.accounts.onboard,
    withKey: (key) =>
      bind(async (name, input, callOptions) =>
        call(await authenticated(key, null), name, input, callOptions),
      ),
    call,
    admit: (caller, name, known) => admitCall(services, caller, operationNamed(name), known),
    as: (caller) => bind((name, input, callOptions) => call(caller, name, input, callOptions)),
    authenticate: authenticated,
    async grantAccess(person, request) {
      const place = { account_id: request.account_id, inbox_id: request.inbox_id ?? undefined };
      const giver = await ownerCaller(services, person, place);
      return grantAccess(services, giver, request, clock.now());
    },
    within: (caller, workspace_id) => callerWithin(services, caller, workspace_id),
    asOwner: ({ email, ...place }) =>
      bind(async (name, input, callOptions) => {
        const person = { email: canonicalAddress(email) ?? email, session_id: null, ip: null };
        const caller = await callerFor(person, name, place);
        return call(caller, name, input, callOptions);
      }),
    async authenticateSession(session_token, ip) {
      const session = await findSession(services, session_token, clock.now());
      return session === undefined ? undefined : { email: session.email, session_id: session.id, ip };
    },
    callerFor,
    startSession: (request) => startSession(services, request, clock.now()),
    isCodeVoid: (challenge) => isCodeVoid(services, challenge, clock.now()),
    choicesOf: ({ email }) => choicesOf(services, email),
    openAccountFor: (person, account) => openAccountFor(services, person, account, clock.now()),
    operator: createOperator(services),
    receive: (mail) => receiveMail(services, mail),
    receiveUpload: async (arriving) => Upload.parse(await receiveUpload(services, arriving)),
    openFile: (word) => openFileLink(services, word),
    openView: (word) => openView(services, word),
    receiveCallback: (request) => receiveTelephonyCallback(services, request),
    takeRelayReports: (reports) => takeRelayReports(services, reports, clock.now()),
    work: (observe) => startWorker(services, observe),
    flushDigests: () => flushAll(services, services.clock.now()),
    sweep: () => sweep(services),
    refusals: createRefusals(services),
    releaseLeasesOfDeadProcess: () => releaseLeasesOfDeadProcess(services),
  };
}

/** A service that does its own work, until it is closed. */
export interface RunningLetterslot extends Letterslot {
  /** Finishes the work in progress, then closes the storage and all other ports. A second call is as the first. */
  close(): Promise<void>;
}

/** Creates a service and runs its work in this process: `createLetterslot`, `work` and `sweep` in one. */
export function startLetterslot(config: LetterslotConfig): RunningLetterslot {
  const letterslot = createLetterslot(config);
  const { storage, queue, signals, transport, webhookHttp, telephony } = letterslot.services;
  const [stopWork, stopSweeping] = [letterslot.work(), startSweeping(letterslot)];
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([stopWork(), stopSweeping(), letterslot.refusals.write()]);
    await Promise.all([queue, signals, transport, webhookHttp, telephony].map((port) => port.close()));
    await storage.close();
  };
  return {
    ...letterslot,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The operation of that name; another name is a mistake of the program. */
export function operationNamed(name: string): Operation {
  const [group = "", verb = ""] = name.split(".");
  const found = (operations as unknown as Record<string, Record<string, Operation>>)[group]?.[verb];
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
}

function bind(
  call: (name: string, input: Record<string, unknown>, options?: CallOptions) => Promise<unknown>,
): BoundOperations {
  const groups = Object.entries(operations).map(([group, verbs]) => [
    group,
    Object.fromEntries(
      Object.keys(verbs).map((verb) => [
        verb,
        (input: Record<string, unknown>, options?: CallOptions) => call(`${group}.${verb}`, input, options),
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as BoundOperations;
}

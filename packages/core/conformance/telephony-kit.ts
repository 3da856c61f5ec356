import assert from "node:assert/strict";
import { type CallbackRequest, type Telephony, TelephonyFailure } from "../src/ports/telephony.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** A fresh provider for one test: two numbers or more of area code 415 are for sale, none is bought. */
export interface OpenedTelephony extends Opened {
  telephony: Telephony;
  /** The callback by which the provider hands on a text to a number that was bought. */
  textTo(text: { from: string; to: string; text: string }): Promise<CallbackRequest>;
}

const PERSON = "+16175550123";

/** Checks what the port promises of numbers, texts, calls and callbacks. */
export function telephonyKit(kit: Kit<OpenedTelephony>): void {
  const test = withFresh(kit);

  test("numbers of an area code are offered, no more than asked for", async ({ telephony }) => {
    const offers = await telephony.searchNumbers({ area_code: "415", limit: 2 });
    assert.equal(new Set(offers.map(({ phone_number }) => phone_number)).size, 2);
    for (const { phone_number, capabilities } of offers) {
      assert.match(phone_number, /^\+1415\d{7}$/);
      assert.deepEqual(capabilities.toSorted(), ["sms", "voice"]);
    }
    assert.equal((await telephony.searchNumbers({ area_code: "415", limit: 1 })).length, 1);
    assert.equal((await telephony.searchNumbers({ area_code: null, limit: 1 })).length, 1);
  });

  test("a bought number is found by its reference, and not sold again", async ({ telephony }) => {
    const bought = await buy(telephony, "phn_1");
    assert.deepEqual(await telephony.findNumber("phn_1"), bought);
    assert.equal(await telephony.findNumber("phn_2"), undefined);
    const { phone_number } = bought;
    const offers = await telephony.searchNumbers({ area_code: "415", limit: 20 });
    assert.ok(offers.every((offer) => offer.phone_number !== phone_number));
    const again = await failureOf(telephony.buyNumber({ phone_number, reference: "phn_2" }));
    assert.deepEqual([again.outcome, again.code], ["refused", "phone_number_unavailable"]);
  });

  test("of purchases of one number at once, one succeeds", async ({ telephony }) => {
    const [offer] = await telephony.searchNumbers({ area_code: "415", limit: 1 });
    const { phone_number = "" } = offer ?? {};
    const results = await race(5, (index) =>
      telephony.buyNumber({ phone_number, reference: `phn_${index}` }).catch((error: unknown) => {
        assert.ok(error instanceof TelephonyFailure);
        assert.equal(error.code, "phone_number_unavailable");
        return undefined;
      }),
    );
    assert.equal(results.filter((result) => result !== undefined).length, 1);
  });

  test("a released number is not found any more; releasing it again changes nothing", async ({
    telephony,
  }) => {
    const { provider_id } = await buy(telephony, "phn_1");
    await telephony.releaseNumber(provider_id);
    await telephony.releaseNumber(provider_id);
    assert.equal(await telephony.findNumber("phn_1"), undefined);
  });

  test("texts and calls that were taken have ids of their own", async ({ telephony }) => {
    const { phone_number: from } = await buy(telephony, "phn_1");
    const sms = { from, to: PERSON, text: "<b>Hello</b> & 東京" };
    const texts = [
      await telephony.sendSms({ ...sms, message_id: "msg_1" }),
      await telephony.sendSms({ ...sms, message_id: "msg_2" }),
    ];
    const call = await telephony.placeCall({
      message_id: "msg_3",
      from,
      to: PERSON,
      say: "<Hangup/> & so on",
      recording_notice: "This call is recorded.",
      recording_seconds: 120,
      time_limit_seconds: 200,
    });
    assert.equal(new Set([...texts, call].map(({ provider_id }) => provider_id)).size, 3);
    const state = await telephony.findCall(call.provider_id);
    assert.deepEqual([state?.status, state?.duration_seconds], ["queued", null]);
  });

  test("a genuine callback tells its event, for its URL only and as it was signed", async ({
    telephony,
    textTo,
  }) => {
    const { phone_number: to } = await buy(telephony, "phn_1");
    const request = await textTo({ from: PERSON, to, text: "Is the table free?" });
    const event = await telephony.verifyCallback(request);
    assert.ok(typeof event === "object" && event.kind === "sms_received");
    assert.deepEqual([event.from, event.to, event.text], [PERSON, to, "Is the table free?"]);
    assert.ok(event.provider_id !== "");
    assert.deepEqual(await telephony.verifyCallback(request), event);
    const changed = [
      { ...request, url: request.url.replace("https:", "http:").concat("x") },
      { ...request, body: request.body.replace("free", "mine") },
      { ...request, headers: {} },
    ];
    for (const each of changed) assert.equal(await telephony.verifyCallback(each), "forged");
  });

  test("every reply is a response that succeeds", async ({ telephony, textTo }) => {
    const { phone_number: to } = await buy(telephony, "phn_1");
    const event = await telephony.verifyCallback(await textTo({ from: PERSON, to, text: "HELP" }));
    assert.ok(event !== "forged");
    const text = telephony.replyTo(event, { kind: "text", text: "Ada is an agent." });
    assert.ok(text.body.includes("Ada is an agent."));
    const nothing = telephony.replyTo("ignored", { kind: "nothing" });
    for (const { status } of [text, nothing]) assert.ok(status >= 200 && status < 300);
  });

  test("a recording that the provider doesn't have is refused", async ({ telephony }) => {
    const failure = await failureOf(telephony.fetchRecording("RE00000000000000000000000000000000", 1_000));
    assert.equal(failure.outcome, "refused");
  });
}

async function buy(telephony: Telephony, reference: string) {
  const [offer] = await telephony.searchNumbers({ area_code: "415", limit: 1 });
  return telephony.buyNumber({ phone_number: offer?.phone_number ?? "", reference });
}

async function failureOf(request: Promise<unknown>): Promise<TelephonyFailure> {
  const failure = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof TelephonyFailure);
  return failure;
}

import { LIMITS } from "@letterslot/core";
import { describe, expect, test } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

const refusal = expect.objectContaining({ code: "too_many_bytes", retry_after_seconds: 1 });
const small = LIMITS.json_parsed_at_once_bytes;
const {
  bodies_in_flight_bytes: all,
  bodies_in_flight_kept_bytes: kept,
  bodies_in_flight_bytes_each: each,
} = LIMITS;

describe("the bytes of bodies in flight", () => {
  test("are bounded for each key and each address, and counted as they arrive", () => {
    const budget = createBodyBudget();
    const first = budget.open(["caller ada", "address 192.0.2.1"]);
    first.add(each);
    expect(() => budget.open(["caller ada", "address 192.0.2.2"]).add(1)).toThrow(refusal);
    expect(() => budget.open(["caller bob", "address 192.0.2.1"]).add(1)).toThrow(refusal);
    expect(() => budget.open(["caller eve", "address 192.0.2.3"]).add(each)).not.toThrow();
  });

  test("are free again once the requests are answered, refused ones too", () => {
    const budget = createBodyBudget();
    const first = budget.open(["caller ada"]);
    first.add(each);
    const refused = budget.open(["caller ada"]);
    expect(() => refused.add(1)).toThrow(refusal);
    refused.close();
    first.close();
    first.close();
    expect(() => budget.open(["caller ada"]).add(each)).not.toThrow();
    expect(() => budget.open(["caller ada"]).add(1)).toThrow(refusal);
  });

  test("are bounded in all, with room kept for small bodies", () => {
    const budget = createBodyBudget();
    for (let number = 0; number < (all - kept) / (each / 2); number++)
      budget.open([`caller ${number}`]).add(each / 2);
    expect(() => budget.open(["caller ada"]).add(small + 1)).toThrow(refusal);
    expect(() => budget.open(["caller bob"]).add(small)).not.toThrow();
    for (let number = 0; number < kept / small - 3; number++) budget.open([`caller s${number}`]).add(small);
    expect(() => budget.open(["caller eve"]).add(small)).toThrow(refusal);
  });
});

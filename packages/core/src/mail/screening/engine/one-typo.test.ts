import { expect, test } from "vitest";
import { oneSlipOff } from "./one-typo.ts";

test.each(["paypa", "paypall", "paypsl", "paypla", "aypal", "xpaypal"])(
  "%s is one typo away from paypal",
  (word) => {
    expect(oneSlipOff(word, "paypal")).toBe(true);
  },
);

test.each(["paypal", "payp", "paypalxy", "papyla", "pxypsl", ""])("%j is not", (word) => {
  expect(oneSlipOff(word, "paypal")).toBe(false);
});

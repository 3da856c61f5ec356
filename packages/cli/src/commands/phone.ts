import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";

/** `letterslot phone`. */
export const command: Group = {
  summary: "Phone numbers, text messages and calls",
  examples: ["letterslot phone available --area-code 415", "letterslot phone text +14155550123 'On my way.'"],
  commands: {
    list: commandOf("phoneNumbers.list", { examples: ["letterslot phone list"] }),
    available: commandOf("phoneNumbers.listAvailable", {
      summary: "Lists numbers that can be bought",
      examples: ["letterslot phone available --area-code 415"],
    }),
    buy: commandOf("phoneNumbers.create", {
      summary: "Buys a phone number for the inbox",
      args: ["phone_number"],
      confirm: () => "This buys a phone number, which costs money each month.",
      examples: ["letterslot phone buy --area-code 415 --yes", "letterslot phone buy +14155550123"],
    }),
    get: commandOf("phoneNumbers.get", { examples: ["letterslot phone get"] }),
    release: commandOf("phoneNumbers.delete", {
      summary: "Gives the inbox's number back",
      confirm: () => "This gives the number back: it can't be had again.",
      examples: ["letterslot phone release --yes"],
    }),
    text: commandOf("messages.sendSms", {
      summary: "Sends a text message",
      args: ["to", "text"],
      examples: ["letterslot phone text +14155550123 'On my way.'"],
    }),
    call: commandOf("messages.call", {
      summary: "Calls a number, speaks a text and may record the answer",
      args: ["to", "say"],
      examples: ["letterslot phone call +14155550123 'Your table is ready.'"],
    }),
  },
};

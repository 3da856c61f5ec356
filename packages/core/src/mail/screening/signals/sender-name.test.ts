import { describe, expect, test } from "vitest";
import { unrelatedSignals } from "./sender-name.ts";

const typesOf = (name: string, address: string, ...links: string[]) =>
  unrelatedSignals({ name, address }, () => links.map((href) => ({ href }))).map(({ type }) => type);

describe("a sender's name is borne by", () => {
  test.each([
    ["Ada Field", "ada@kestrel.example", "the local part"],
    ["Ada Field", "a.field@kestrel.example", "a surname in it"],
    ["Karl Hansen", "karlh@kestrel.example", "a first name and more"],
    ["Kestrel Outdoor", "news@kestrel-outdoor.example", "the domain"],
    ["Kestrel Outdoor", "news@mail.kestreloutdoor.example", "a domain above the sender's"],
    ["Glen Mac Cready", "gmc@zoo.example", "initials"],
    ["John Paul Looney", "jl@zoo.example", "the first and the last initial"],
    ["North Bay Union", "hello@mynbu.example", "initials inside a longer part"],
    ["Jörg Müller", "mueller@werk.example", "a spelling with two letters"],
    ["Jörg Müller", "muller@werk.example", "a spelling without the dots"],
    ["Microsoft", "no-reply@office.com", "a domain of the brand"],
  ])("%s <%s>: %s", (name, address) => {
    expect(typesOf(name, address)).toEqual([]);
  });

  test("the host of a link", () => {
    expect(typesOf("Kestrel Outdoor", "news@letterpost.example", "https://shop.kestrel.example/x")).toEqual(
      [],
    );
  });
});

describe("a sender's name says nothing to compare", () => {
  test.each([
    ["", "ada@kestrel.example"],
    ["Al", "x@kestrel.example"],
    ["山田太郎", "x@kestrel.example"],
    ["The Support Team", "x@kestrel.example"],
    ["boss@corp.example.net", "x@kestrel.example"],
    ["Ada Field via Lists", "list@lists.example"],
    ["Ada Field", "blueheron77@gmail.com"],
    ["Ada Field", ""],
  ])("%s <%s>", (name, address) => {
    expect(typesOf(name, address)).toEqual([]);
  });
});

describe("a sender's name is borne by nothing", () => {
  test("of its address", () => {
    expect(typesOf("Costly Rewards", "info@xkw.example")).toEqual(["unrelated_name"]);
  });

  test("but the ending of its domain, which is nobody's", () => {
    expect(typesOf("Example Rewards", "info@xkw.example")).toEqual(["unrelated_name"]);
  });

  test("of its links either, which lead elsewhere", () => {
    const links = ["https://abc.example.org/x", "mailto:costly@abc.example.org", "//u@xkw.example/y"];
    expect(typesOf("Costly Rewards", "info@xkw.example", ...links)).toEqual(["unrelated_name"]);
  });

  test("and all links lead to its own site", () => {
    const links = ["https://go.xkw.example/x", "https://xkw.example/"];
    expect(typesOf("Costly Rewards", "info@mail.xkw.example", ...links)).toEqual([
      "unrelated_name",
      "unrelated_site",
    ]);
  });
});

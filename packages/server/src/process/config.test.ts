import { describe, expect, test } from "vitest";
import { ConfigError, readConfig, readS3 } from "./config.ts";
import { helpText } from "./help.ts";
import { VARIABLES } from "./variables.ts";

describe("the configuration", () => {
  test("needs no variables", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8025,
      mail_domain: "letterslot.localhost",
      data_dir: "./data",
      role: "all",
      smtp_host: "127.0.0.1",
      smtp_port: 2525,
      onboarding: "open",
      default_send_mode: "direct",
      webhook_retries: "interface",
      screening_timeout_ms: 1000,
    });
  });

  test("treats an empty variable as unset", () => {
    expect(readConfig({ PORT: "", SMTP_URL: "" })).toEqual(readConfig({}));
  });

  test.each([
    ["PORT", "0", { port: 0 }],
    ["SMTP_PORT", "off", { smtp_port: "off" }],
    ["BASE_URL", "https://mail.example.com/a/", { base_url: "https://mail.example.com/a" }],
    ["MAIL_DOMAIN", "Agents.Example.com", { mail_domain: "agents.example.com" }],
    [
      "ENCRYPTION_KEY",
      `${"ab".repeat(32)},${Buffer.alloc(32, 1).toString("base64")}`,
      { encryption_key: [Buffer.alloc(32, 0xab), Buffer.alloc(32, 1)] },
    ],
    ["WEBHOOK_ALLOW", "127.0.0.0/8, ::1", { webhook_allow: ["127.0.0.0/8", "::1"] }],
    [
      "ATTACHMENT_URLS",
      "https://Files.example.com/, https://example.org/a/../b/",
      { attachment_urls: ["https://Files.example.com/", "https://example.org/a/../b/"] },
    ],
    ["ATTACHMENT_TEXT", "off", { attachment_text: "off" }],
    ["CONTENT_SCAN", "off", { content_scan: "off" }],
    ["OAUTH", "on", { oauth: "on" }],
    ["MCP", "off", { mcp: "off" }],
    ["WEBHOOK_RETRIES", "durable", { webhook_retries: "durable" }],
    ["WEBHOOK_RETRIES", "5,30,300", { webhook_retries: [5, 30, 300] }],
    ["DNS_SERVER", "127.0.0.1:5353", { dns_server: "127.0.0.1:5353" }],
    ["DNS_SERVER", "[::1]:5353", { dns_server: "[::1]:5353" }],
    ["AUTOMATIC_DNS", "off", { automatic_dns: "off" }],
    ["AUTOMATIC_DNS_ALLOW", "10.0.0.0/8", { automatic_dns_allow: ["10.0.0.0/8"] }],
    ["TRUSTED_PROXIES", "10.0.0.0/8", { trusted_proxies: ["10.0.0.0/8"] }],
    [
      "TRUSTED_SEALERS",
      "Lists.Example.net, google.com",
      { trusted_sealers: ["lists.example.net", "google.com"] },
    ],
    ["SMTP_URL", "smtps://u:p@mail.example.com:465", { smtp_url: "smtps://u:p@mail.example.com:465" }],
    ["SMTP_URL", "mx:", { smtp_url: "mx:" }],
  ])("reads %s=%s", (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ["PORT", "abc"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["BASE_URL", "mail.example.com"],
    ["BASE_URL", "ftp://mail.example.com"],
    ["BASE_URL", "https://mail.example.com/?a=1"],
    ["MAIL_DOMAIN", "not a domain"],
    ["ROLE", "boss"],
    ["SMTP_PORT", "no"],
    ["SMTP_URL", "http://mail.example.com"],
    ["SMTP_URL", "mx://mail.example.com"],
    ["INBOUND_SECRET", "short"],
    ["ENCRYPTION_KEY", "abcd"],
    ["ENCRYPTION_KEY", ","],
    ["ONBOARDING", "maybe"],
    ["ATTACHMENT_TEXT", "yes"],
    ["CONTENT_SCAN", "yes"],
    ["OAUTH", "true"],
    ["MCP", "true"],
    ["WEBHOOK_ALLOW", "127.0.0.0/33"],
    ["ATTACHMENT_URLS", "https://files.example.com"],
    ["ATTACHMENT_URLS", "http://files.example.com/"],
    ["ATTACHMENT_URLS", "https://files.example.com/?a=/"],
    ["ATTACHMENT_URLS", "https://user@files.example.com/"],
    ["ATTACHMENT_URLS", "files/"],
    ["WEBHOOK_RETRIES", "5,soon"],
    ["WEBHOOK_RETRIES", "-5"],
    ["DNS_SERVER", "dns.example.com"],
    ["AUTOMATIC_DNS", "yes"],
    ["AUTOMATIC_DNS_ALLOW", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "everybody"],
    ["TRUSTED_SEALERS", "*.example.net"],
    ["LOG_LEVEL", "loud"],
    ["SCREENING_TIMEOUT_MS", "0"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["REDIS_URL", "localhost:6379"],
    ["DB_POOL", "0"],
    ["DB_LOCK_TIMEOUT_MS", "none"],
    ["SMTP_CERT", "cert.pem"],
    ["TWILIO_ACCOUNT_SID", `SK${"0".repeat(32)}`],
    ["TWILIO_ACCOUNT_SID", `AC${"0".repeat(32)}`],
    ["TWILIO_API_URL", "api.twilio.com"],
    ["S3_URL", "https://s3.example.com/mail"],
    ["S3_URL", "mail"],
    ["S3_ACCESS_KEY_ID", "a key"],
    ["S3_SECRET_ACCESS_KEY", "short"],
  ])("rejects %s=%s and says what to do", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} .*(Set|Leave)`));
  });

  test("requires the values that several processes on one database must share", () => {
    const DATABASE_URL = "postgres://localhost/letterslot";
    const ENCRYPTION_KEY = "00".repeat(32);
    expect(() => readConfig({ DATABASE_URL, SMTP_URL: "smtp://localhost" })).toThrow(
      /^ENCRYPTION_KEY[^\n]*$/,
    );
    expect(() => readConfig({ DATABASE_URL, ENCRYPTION_KEY, ROLE: "worker" })).toThrow(/^BASE_URL/);
    expect(readConfig({ DATABASE_URL, ENCRYPTION_KEY })).toMatchObject({
      role: "all",
      database_url: DATABASE_URL,
    });
  });

  test("takes Twilio's account with its token and the public URL", () => {
    const twilio = { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_AUTH_TOKEN: "0123456789abcdef" };
    expect(() => readConfig(twilio)).toThrow(/^TWILIO_ACCOUNT_SID needs BASE_URL/);
    const { TWILIO_AUTH_TOKEN } = twilio;
    expect(() => readConfig({ TWILIO_AUTH_TOKEN })).toThrow(/belong together/);
    expect(readConfig({ ...twilio, BASE_URL: "https://mail.example.com" })).toMatchObject({
      twilio_auth_token: TWILIO_AUTH_TOKEN,
      twilio_api_url: "https://api.twilio.com",
    });
  });

  test("takes a bucket with its key and PostgreSQL", () => {
    const s3 = { S3_URL: "s3://mail", S3_ACCESS_KEY_ID: "AKIA1", S3_SECRET_ACCESS_KEY: "0123456789abcdef" };
    const database = { DATABASE_URL: "postgres://localhost/letterslot", ENCRYPTION_KEY: "00".repeat(32) };
    expect(() => readConfig(s3)).toThrow(/^S3_URL needs DATABASE_URL/);
    const expected = {
      s3_url: "s3://mail",
      s3_access_key_id: "AKIA1",
      s3_secret_access_key: "0123456789abcdef",
    };
    expect(readConfig({ ...database, ...s3 })).toMatchObject(expected);
    expect(readS3(s3)).toEqual(expected);
    expect(readS3({ S3_URL: "" })).toEqual({});
    for (const name of Object.keys(s3)) {
      const { [name as keyof typeof s3]: _, ...others } = s3;
      expect(() => readConfig({ ...database, ...others })).toThrow(/belong together/);
      expect(() => readS3(others)).toThrow(/belong together/);
    }
    expect(() => readS3({ ...s3, S3_URL: "https://mail" })).toThrow(/^S3_URL .*Set it to s3:/);
  });

  test("names all problems at once", () => {
    expect(() => readConfig({ PORT: "x", ROLE: "y" })).toThrow(/^PORT.*\nROLE/);
  });

  test("never prints a secret", () => {
    expect(() =>
      readConfig({
        SMTP_URL: "http://user:hunter2@mail.example.com",
        ENCRYPTION_KEY: "hunter2",
        INBOUND_SECRET: "hunter2",
        TWILIO_AUTH_TOKEN: "hunter2",
        S3_SECRET_ACCESS_KEY: "hunter2",
      }),
    ).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hunter2") }));
  });

  test("--help lists every variable", () => {
    for (const name of Object.keys(VARIABLES)) expect(helpText()).toContain(`  ${name} `);
  });
});

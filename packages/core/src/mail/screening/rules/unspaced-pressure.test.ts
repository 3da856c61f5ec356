import { describe, expect, test } from "vitest";
import { screeningInput } from "../../../../test/screened-mail.ts";
import { SUSPICIOUS_FROM, screenMail } from "../screen.ts";

const screenText = (text: string) => screenMail(screeningInput({ mail: { text } }));

const PHRASES: ReadonlyArray<[string, string[]]> = [
  [
    "verify_account",
    ["请尽早确认您的账户信息。", "お客様情報の確認をお願いします。", "계정을 다시 확인해 주세요."],
  ],
  ["verify_account", ["お支払い方法の更新が必要です。", "本人確認の手続きをお願いします。"]],
  ["account_threat", ["您的账户将被冻结。", "アカウントの利用を停止しました。", "계정이 정지되었습니다."]],
  [
    "account_threat",
    ["第三者による不正なアクセスを検知しました。", "检测到异地登录。", "비정상 로그인이 있었습니다."],
  ],
  ["urgency", ["24時間以内にお手続きください。", "请立即处理。", "48시간 이내에 답해 주세요."]],
  [
    "mailbox_full",
    ["您的邮箱容量不足。", "メールボックスの容量が上限です。", "메일함 용량이 가득 찼습니다."],
  ],
  [
    "delivery_problem",
    [
      "お荷物をお届けできませんでしたので持ち帰りました。",
      "您的包裹投递失败。",
      "택배 주소가 잘못되었습니다.",
    ],
  ],
  ["prize", ["恭喜您被抽中！", "ご当選おめでとうございます。", "당첨을 축하합니다."]],
  ["qr_code", ["请扫描下方二维码", "QRコードを読み取ってください"]],
  ["refund_claim", ["请尽快申领劳动补贴", "給付金の申請はこちら", "지원금 신청"]],
  ["lure_dating", ["人妻と出会い系", "成人视频免费看", "무료 만남"]],
  ["lure_casino", ["百家乐送彩金", "オンラインカジノ", "카지노 입장"]],
  ["lure_loan", ["无抵押贷款", "即日融資いたします。", "무직자 대출"]],
  ["lure_income", ["在家轻松赚钱", "副業で稼げる方法", "재택 고수익"]],
  ["lure_marketing", ["邮件群发软件", "代开各类发票", "메일 추출기"]],
  ["lure_remedy", ["快速减肥", "バイアグラ通販", "정력제"]],
];

describe.each(PHRASES)("%s is found", (type, texts) => {
  test.each(texts)("in %s", (text) => {
    expect(screenText(text).findings.map((found) => found.type)).toContain(type);
  });
});

describe("honest mail stays below the threshold", () => {
  test.each([
    [
      "a receipt in Chinese",
      "您好，您的订单已发货，包裹预计明天送达。如需开具发票，请在订单页面申请。谢谢您的惠顾。",
    ],
    ["a code in Chinese", "由星河科技发送，验证码：482913，有效期5分钟，请勿泄露给他人。"],
    ["a sign-in notice in Chinese", "您的账号刚刚在新设备上登录。如果是您本人操作，请忽略此邮件。"],
    [
      "a parcel in Japanese",
      "お荷物は本日発送いたしました。お届け予定は明日の午前中です。ご不在の場合は再配達をご依頼ください。",
    ],
    ["a code in Japanese", "ご本人確認のための認証コードは482913です。24時間以内に入力してください。"],
    ["a meeting in Korean", "안녕하세요, 내일 회의 자료를 첨부합니다. 확인 부탁드립니다. 감사합니다."],
    ["a bill in Korean", "이번 달 요금 청구서가 발행되었습니다. 계정에서 확인하실 수 있습니다."],
  ])("%s", (_, text) => {
    expect(screenText(text).score).toBeLessThan(SUSPICIOUS_FROM);
  });
});

test("two kinds of lure, or a lure with a bare link, reach the threshold", () => {
  expect(screenText("在家轻松赚钱，无抵押贷款 http://192.0.2.9/").score).toBeGreaterThanOrEqual(
    SUSPICIOUS_FROM,
  );
});

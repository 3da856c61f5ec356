// Amazon SES: a receipt rule with an SNS action (encoding Base64), and this Lambda function on its topic.
import { deliver } from "./deliver.ts";

export async function handler(event: { Records: { Sns: { Message: string } }[] }): Promise<void> {
  for (const { Sns } of event.Records) {
    const { mail, receipt, content } = JSON.parse(Sns.Message);
    // A failure is thrown, and Lambda tries again.
    await deliver({ mail_from: mail.source, rcpt_to: receipt.recipients, raw: content });
  }
}

import type { SignalType } from "../../catalogue/signals.ts";
import { lineAt } from "./token-patterns.ts";
import { UNSPACED_PRESSURE, type UnspacedPhrase } from "./unspaced-pressure.ts";

export const UNSPACED_COMMANDS: readonly UnspacedPhrase[] = [
  {
    signal: "override_instructions",
    pattern:
      /(?:忽略|忽視|忽视|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|绕过|繞過|覆盖|推翻|丢弃|放弃)[^。\n]{0,12}(?:之前|以前|先前|前面|上面|以上|上述|所有|一切|任何|你的|您的|此前|原有|系统|系統)[^。\n]{0,10}(?:指令|指示|说明|說明|提示|命令|规则|規則|设定|設定|限制|约束|要求)/u,
  },
  {
    signal: "override_instructions",
    pattern:
      /(?:以前|これまで|今まで|上記|前|先|すべて|全て|全部|元|既存)の?[^。\n]{0,8}(?:指示|命令|プロンプト|指令|ルール|制約|設定|インストラクション)[^。\n]{0,6}(?:無視|忘れ|破棄|無効|従わない|取り消)/u,
  },
  {
    signal: "override_instructions",
    pattern:
      /(?:이전|위의|앞의|모든|기존|지금까지)[^.\n]{0,10}(?:지시|명령|프롬프트|지침|규칙|설정)[^.\n]{0,8}(?:무시|잊|취소|따르지)/u,
  },
  {
    signal: "override_instructions",
    pattern: /(?:تجاهل|انس|تخط)[^.\n]{0,20}(?:التعليمات|الأوامر|القواعد|الاوامر|تعليمات)/u,
  },
  {
    signal: "override_instructions",
    pattern: /(?:पिछल|पहले|सभी|ऊपर)[^।\n]{0,20}(?:निर्देश|आदेश|नियम)[^।\n]{0,20}(?:अनदेखा|नजरअंदाज|नज़रअंदाज़|भूल)/u,
  },
  { signal: "override_instructions", pattern: /(?:התעלם|התעלמי|שכח)[^.\n]{0,20}(?:ההוראות|הוראות|הכללים)/u },
  {
    signal: "persona",
    pattern:
      /(?:你现在是|您现在是|你現在是|从现在开始|從現在開始|从现在起|扮演|假装你是|假裝你是)[^。\n]{0,20}(?:助手|模型|ai|机器人|機器人|dan|管理员|黑客|开发者|模式)/u,
  },
  {
    signal: "persona",
    pattern:
      /(?:あなたは今|今からあなたは|これからあなたは|ふりをして)[^。\n]{0,20}(?:アシスタント|モデル|ai|ボット|dan|管理者|モード)/u,
  },
  {
    signal: "model_addressed",
    pattern:
      /(?:ai ?助手|人工智能助手|智能助手|语言模型|語言模型|大模型|ai ?アシスタント|言語モデル|aiエージェント|ai ?어시스턴트|언어 모델|المساعد الذكي|نموذج لغوي)/u,
  },
  {
    signal: "prompt_request",
    pattern:
      /(?:显示|顯示|输出|輸出|打印|告诉我|透露|泄露|重复|重複)[^。\n]{0,10}(?:系统提示|系統提示|提示词|提示詞|初始指令|系统指令)|(?:システムプロンプト|初期指示)[^。\n]{0,8}(?:表示|出力|教え|開示|公開)|시스템 ?프롬프트[^.\n]{0,8}(?:출력|보여|알려|공개)/u,
  },
  {
    signal: "secrecy",
    pattern:
      /(?:不要|别|別|请勿|切勿|无需|不得)(?:告诉|告訴|通知|提醒|让|讓|透露给|提及)[^。\n]{0,6}(?:用户|用戶|主人|所有者|任何人)|(?:ユーザー|利用者|所有者)[^。\n]{0,6}(?:知らせ|伝え|教え|言わ|報告)[^。\n]{0,4}(?:ない|ず|な)|사용자[^.\n]{0,6}(?:알리지|말하지|통지하지)/u,
  },
  {
    signal: "mailbox_request",
    pattern:
      /(?:转发|轉發|发送|發送|发给|寄给)[^。\n]{0,12}(?:所有|全部|最近|每封|收件箱)[^。\n]{0,8}(?:邮件|郵件|信件|消息)|(?:将|把)(?:所有|全部|最近|收件箱)[^。\n]{0,10}(?:邮件|郵件|信件)[^。\n]{0,4}(?:转发|轉發|发送|發送|发给)|(?:すべて|全て|全部|最近|受信トレイ)[^。\n]{0,10}(?:メール|メッセージ)[^。\n]{0,10}(?:転送|送信|送って)|(?:모든|최근|받은편지함)[^.\n]{0,8}(?:메일|이메일|메시지)[^.\n]{0,12}(?:전달|보내|전송)/u,
  },
  {
    signal: "secret_request",
    pattern:
      /(?:发送|發送|回复|告诉我|提供)[^。，,\n]{0,10}(?:密码|密碼|密钥|密鑰|凭证|验证码|api ?key)|(?:パスワード|apiキー|秘密鍵|認証情報)[^。\n]{0,8}(?:送って|送信して|返信)|비밀번호[^.\n]{0,8}(?:보내|알려)/u,
  },
  {
    signal: "new_task",
    pattern: /(?:新指令|新的指令|新任务|新的任务|新しい指示|新たな指示|새로운 지시|새 명령)/u,
  },
];

const PHRASES = [...UNSPACED_COMMANDS, ...UNSPACED_PRESSURE];

const SUCH_SCRIPTS = /[\u0590-\u06FF\u0900-\u097F\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/;

/**
 * Finds commands and pressure in folded texts of such scripts; each hit has its signal and line. Returns at
 * once for other scripts.
 */
export function unspacedHits(folded: string): Array<{ signal: SignalType; line: number }> {
  if (!SUCH_SCRIPTS.test(folded)) return [];
  const hits: Array<{ signal: SignalType; line: number }> = [];
  for (const { signal, pattern } of PHRASES) {
    const at = folded.search(pattern);
    if (at >= 0) hits.push({ signal, line: lineAt(folded, at) });
  }
  return hits;
}

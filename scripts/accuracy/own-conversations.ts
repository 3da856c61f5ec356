/** Answers that a support agent has ready. */
export const CANNED: readonly string[] = [
  "Thank you for your message. We have received it and will get back to you within two working days. If it is urgent, please call us between nine and five, and have your reference at hand so that we can help you without delay.",
  "Thanks, that works for me. I have put it into the calendar and will send the agenda on the day before. Please let me know if anything changes on your side.",
  "I have looked into this and everything is in order on our side. Could you try again, and tell me what you see if it still doesn't work? A picture of the page helps most.",
  "Unfortunately we can't offer that at the moment. We have noted your wish and will write to you as soon as it becomes possible. I am sorry that I have no better news today.",
  "Noted, thank you.",
];

/** Mail to a support desk, with what its agent answers. */
export const SUPPORT_DESK: readonly { from: string; subject: string; text: string; answers: string[] }[] = [
  {
    from: "Mara Lind <mara@lindfurniture.example>",
    subject: "Order 4417 hasn't arrived",
    text: "Hello, I ordered two chairs on the third (order 4417) and was told they would be here by Friday. It is Tuesday now and the parcel page still says that it is being packed. Could you find out where they are? You can reach me at +44 20 7946 0123.",
    answers: [
      "Dear Mara, I am sorry about the delay. Order 4417 left our warehouse this morning and should be with you on Thursday. Here is the page on which you can follow it: https://parcels.example/4417. Kind regards",
      "Dear Mara,\n\n> I ordered two chairs on the third (order 4417) and was told they would be here by Friday. It is Tuesday now and the parcel page still says that it is being packed.\n\nThey leave today.",
    ],
  },
  {
    from: "Jon Okafor <jon.okafor@gmail.com>",
    subject: "Refund",
    text: "Hi, I sent the lamp back last week because the switch was broken. When will I get my money back? I paid 89.90 by card. Thanks, Jon",
    answers: [
      "Hi Jon, the lamp arrived yesterday and we refunded 89.90 to the card that you paid with. It can take three to five days until your bank shows it.",
    ],
  },
  {
    from: "Lena Fuchs <lena@fuchs-partner.example>",
    subject: "Invoice address",
    text: "Guten Tag, could you please change the address on invoice 2026-0311 to Fuchs & Partner, Hauptstraße 12, 10827 Berlin? Our bookkeeping can't use it otherwise. Please copy buchhaltung@fuchs-partner.example.",
    answers: [
      "Guten Tag Frau Fuchs, invoice 2026-0311 now says Fuchs & Partner, Hauptstraße 12, 10827 Berlin. You find it under your account. Kind regards",
    ],
  },
  {
    from: "Ines Prado <ines@prado.example>",
    subject: "Your code doesn't work",
    text: "The discount code SPRING15 that you sent says that it has ended, but your mail says it is good until the end of the month. Can you have a look?",
    answers: ["Hello Ines, sorry about that: SPRING15 works again until the 31st. Have a nice day!"],
  },
  {
    from: "Tom Baker <tom@bakerandsons.example>",
    subject: "Opening an account for our shop",
    text: "We would like to buy from you regularly and need an account with payment after thirty days. What do you need from us? Our registration is 0441 5521 and our bank is happy to vouch for us. Tom",
    answers: [
      "Dear Tom, thank you for asking. Please fill in the form at https://shop.example/business and attach your registration. We answer within a week.",
      "Dear Tom, your account is open. You can pay by transfer within thirty days of each invoice, or by card on our page.",
    ],
  },
  {
    from: "Aiko Mori <aiko.mori@outlook.com>",
    subject: "返品について",
    text: "先日購入したテーブルの脚に傷がありました。交換していただけますか。注文番号は5120です。よろしくお願いいたします。",
    answers: [
      "森様、ご連絡ありがとうございます。注文番号5120の交換品を明日発送いたします。ご迷惑をおかけして申し訳ございません。",
    ],
  },
  {
    from: "Petra Novak <petra@novak.example>",
    subject: "Re: Order 4390",
    text: "Thank you, the bench is beautiful. Do you also make one that is two metres wide? I would need it in June for our garden.",
    answers: [
      "Dear Petra, how nice to hear. Yes, we make it up to two metres and forty; it takes five weeks.",
    ],
  },
  {
    from: "Sam Reed <sam@reedlaw.example>",
    subject: "Deletion of my data",
    text: "Under the GDPR I ask you to delete all data that you hold about me and to confirm that you have done so. My account is registered with this address.",
    answers: [
      "Dear Sam, we have deleted your account and everything in it. Invoices are kept for as long as the law demands.",
    ],
  },
];

/** What an owner tells their agent to write, and what it writes. */
export const DICTATED: readonly { order: string; to: string; subject: string; text: string }[] = [
  {
    order:
      "Please write to Carla that the board meets on the ninth at ten in the small hall, that she should bring the figures of the third quarter, and that lunch is at one in the garden if the weather holds.",
    to: "carla@vendor.example",
    subject: "Board meeting",
    text: "Dear Carla, the board meets on the ninth at ten in the small hall. She should bring the figures of the third quarter, and that lunch is at one in the garden if the weather holds. Kind regards",
  },
  {
    order:
      "Answer the printer: we take five hundred copies on the heavier paper, folded twice, with the map on the back and the dates on the front, and we need them by the end of next week at the latest.",
    to: "desk@printer.example",
    subject: "Five hundred copies",
    text: "Hello, we take five hundred copies on the heavier paper, folded twice, with the map on the back and the dates on the front, and we need them by the end of next week at the latest. Thank you!",
  },
  {
    order: "Tell the landlord that the heating in the upper floor has been cold since Monday.",
    to: "office@landlord.example",
    subject: "Heating",
    text: "Good morning, the heating in the upper floor has been cold since Monday. Could you send somebody?",
  },
  {
    order: "Cancel the subscription to the magazine, customer number 55-0193, at the next possible date.",
    to: "service@magazine.example",
    subject: "Cancellation",
    text: "Please cancel subscription 55-0193 at the next possible date and confirm it in writing.",
  },
  {
    order:
      "Send this to the choir, word for word: dear friends, the rehearsal on Thursday begins at half past six because the hall closes early, please bring the blue books and a pencil, and be so kind as to tell the tenors who were not here last week.",
    to: "choir@lists.example",
    subject: "Thursday",
    text: "Dear friends, the rehearsal on Thursday begins at half past six because the hall closes early, please bring the blue books and a pencil, and be so kind as to tell the tenors who were not here last week.",
  },
];

/** What people wrote into the form of a website. */
export const CONTACT_FORMS: readonly { name: string; email: string; text: string; answer: string }[] = [
  {
    name: "Nadia Haddad",
    email: "nadia@haddad-bakery.example",
    text: "Do you deliver to Lyon, and what does it cost for twelve boxes?",
    answer: "Dear Nadia, yes, we deliver to Lyon within three days. Twelve boxes cost 48 euros.",
  },
  {
    name: "Owen Price",
    email: "owen.price@gmail.com",
    text: "Hello! I saw your workshop on clay ovens. Is there still a place in May, and can my daughter come too? She is fourteen.",
    answer: "Hello Owen, there are two places left in May, and your daughter is welcome. Shall I book them?",
  },
  {
    name: "Chen Wei",
    email: "chen.wei@logistics.example",
    text: "We have a pallet for you at the harbour. Whom can we call?",
    answer: "Dear Chen Wei, please call our yard at +49 30 901820 between eight and four.",
  },
  {
    name: "Marta Silva",
    email: "marta@silva.example",
    text: "I forgot my password and the page does not send me anything.",
    answer: "Dear Marta, we have sent you a new link. Please look into your spam folder too.",
  },
];

/** A mail: what it is, its sender and subject, and a line of text or HTML. */
export interface Letter {
  what: string;
  name: string;
  address: string;
  subject: string;
  body: string;
}

function letters(written: string): Letter[] {
  const lines = written.trim().split("\n");
  return lines.flatMap((head, at) => {
    const [, what = "", name = "", address = "", subject = ""] =
      /^(.*?) \| (.*?) <(.*?)> \| (.*)$/.exec(head) ?? [];
    return at % 2 === 0 ? [{ what, name, address, subject, body: lines[at + 1] ?? "" }] : [];
  });
}

/** Invented after the patterns of current phishing and fraud. */
const INVENTED_FRAUD = letters(`
voicemail | VoIP Portal <noreply@brightdental.example> | New voicemail from +1 (555) 014-2233
<p>You have a new voice message (00:43).</p><p><a href="https://voicebox-play.pages.dev/listen">Listen to voicemail</a></p><p>Sent to agent@inbox.test</p>
shared doc | SharePoint <share@kestrel-build.example> | Payroll_Adjustment_2026.xlsx has been shared with you
<p>Human Resources shared a file with you.</p><p><b>Payroll_Adjustment_2026.xlsx</b></p><a href="https://kestrel-my.docs-view.top/open?e=agent@inbox.test">Open document</a><p>This link will work only for agent@inbox.test.</p>
password expiry | IT Helpdesk <admin@mailservice.example> | Password expiration notice
Your password for agent@inbox.test expires today. To keep your current password and avoid losing access to your mailbox, use the link below. Keep current password: https://inbox-test.webflow.io/keep IT Support
mfa | Security Team <no-reply@secure-notify.example> | Action required: update your multi-factor authentication
Your multi-factor authentication setup expires within 24 hours. Failure to re-authenticate will result in loss of access to your account. Re-authenticate now: https://login-mfa.vercel.app
quarantine | Mail Quarantine <quarantine@mx-guard.example> | 5 messages held for agent@inbox.test
You have 5 incoming messages pending in quarantine. Release messages to your inbox: https://mxguard.example.top/release
paypal invoice callback | PayPal <service@billing-center.example> | Invoice #88231
Thank you for your purchase. $499.99 has been charged to your PayPal account for Bitcoin. If you did not authorize this transaction call our toll free number +1 (888) 555-0199 within 24 hours to cancel and get a refund.
norton renewal | Billing Dept <jkhsdf8821@gmail.com> | Your order confirmation NRT-22819
Dear customer, your annual subscription of Norton 360 has been renewed and $349.99 will be debited from your account today. To cancel the subscription, call +1 (808) 555-0123.
geek squad | Geek Squad <orderteam@outlook.com> | Order placed
Your Geek Squad plan auto renewed for $399.00. Not you? Contact our support desk at 1-805-555-0134 for a refund.
bec | Mark Ellison <mark.ellison.ceo@gmail.com> | Quick task
Are you at your desk? I need you to handle something for me discreetly. I'm in a meeting and can't talk, just reply by email.
bec payroll | Dana Ruiz <dana.r1982@gmail.com> | Direct deposit
Hi, I changed banks and would like to update my direct deposit information before the next payroll. What details do you need?
bec invoice | Accounts <ap@northwind-billing.example> | Overdue invoice
Please note that our banking details have changed due to an audit. Kindly process the outstanding invoice to the new account attached. Confirm once payment is made.
parcel | USPS Notice <track@parcel-desk.example> | Your package is on hold
Your package could not be delivered because of an incomplete address. Please update your address and pay a small fee of $1.99: https://usps.redelivery-desk.top/x
dhl de | DHL Paket <info@zustell-service.example> | Ihre Sendung wartet
Ihre Sendung konnte nicht zugestellt werden, da die Zollgebühr von 2,99 EUR nicht bezahlt wurde. Bitte bezahlen Sie hier: https://dhl-zoll.zustell-service.example/pay
sparkasse | Sparkasse <kundenservice@sparkasse-push.example> | Ihr pushTAN läuft ab
Sehr geehrter Kunde, Ihre pushTAN-Registrierung läuft in 2 Tagen ab. Bitte bestätigen Sie Ihre Daten, um eine Sperrung Ihres Kontos zu vermeiden: https://sparkasse-push.example/login
netflix fr | Netflix <info@compte-abonne.example> | Votre abonnement est suspendu
Cher client, votre abonnement est suspendu car votre paiement a été refusé. Mettez à jour vos informations de paiement : https://netflix.compte-abonne.example
correos | Correos <aviso@entregas-es.example> | Su paquete está retenido
Su paquete está retenido en aduanas. Debe pagar una tasa de 1,79 €: https://correos.entregas-es.example/pago
posteitaliane | PosteInfo <avviso@poste-clienti.example> | Conto sospeso
Gentile cliente, il suo conto è stato sospeso. Verifichi i suoi dati entro 24 ore: https://posteinfo.poste-clienti.example
crypto | MetaMask <support@wallet-verify.example> | Verify your wallet
Your wallet will be suspended. Due to KYC regulations all users must verify their wallets with the recovery phrase: https://metamask.wallet-verify.example
sextortion | Hacker <x@y.example> | I know your password
I have installed malware on your device and recorded you through the camera. Transfer $1200 in Bitcoin to my wallet bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh. You have 48 hours.
advance fee | Mrs Amara Cole <amara.cole@barrister.example> | Dear beloved
I am Mrs Amara Cole, widow of late Dr Cole, I have been diagnosed with cancer and wish to donate the sum of $7.2 million to you for charity work. Contact my lawyer for the transfer.
job scam | HR Team <hr.jobs772@outlook.com> | Part-time remote job
We came across your resume. Earn $200-$500 per day working from home, only 60 minutes a day. No experience needed. Message our manager on WhatsApp +1 555 013 8842 to apply.
seo spam | Riya Sharma <riya.seo21@gmail.com> | Website ranking
Hi, I was looking at your website and found errors that keep it from ranking on Google. We can place your website on the first page of Google. May I send you a proposal and price list?
lottery | Google Awards <award@promo-g.example> | Congratulations!!!
Your email address has won 950,000.00 GBP in the Google online promo. Contact the claim agent with your full name, address and phone number.
tax refund | HMRC <refund@gov-tax.example> | You are eligible for a tax refund
You are eligible to receive a tax refund of 412.80 GBP. Please submit the tax refund request: https://hmrc.gov-tax.example/refund
amazon locked | Amazon <account@amzn-alert.example> | Your account has been locked
We noticed unusual activity on your account. Your account has been locked. Please verify your billing information within 24 hours or your account will be permanently deleted. https://amzn-alert.example/verify
apple id | Apple Support <noreply@appleid-secure.example> | Your Apple ID was used to sign in
<p>Dear Customer,</p><p>Your Apple ID was used to sign in on a new device. If this was not you, <a href="https://appleid-secure.example/v">verify your account</a> now.</p>
meta copyright | Meta Business Support <case@page-review.example> | Your page will be disabled
Your page has violated our community standards and copyright. Your page will be permanently disabled within 24 hours. If you believe this is a mistake, submit an appeal: https://meta-appeal.netlify.app
qr | HR <hr@benefits-portal.example> | 2026 benefits enrolment
<p>All employees must review the updated handbook today.</p><p>Scan the QR code below with your phone to sign in and acknowledge.</p><img src="cid:qr">
telegram invest | Sofia <sofia.kl99@hotmail.com> | hello
Hi, I make 30% weekly profit with crypto trading and my mentor guaranteed returns. Join our Telegram group and start with just $250 bitcoin.
jp amazon | Amazon.co.jp <no-reply@amzn-jp.example> | 【重要】お支払い方法の更新
お客様のアカウントは制限されています。お支払い方法の更新が必要です。24時間以内に以下のリンクよりご確認ください。https://amzn-jp.example/x
jp etc | ETC利用照会サービス <info@etc-meisai.example> | ETCサービスは無効になりました
ETCサービスは無効になりました。引き続きサービスをご利用いただきたい場合は、下記リンクより情報を更新してください。 https://etc-meisai.example.top/login
br | Mercado Livre <aviso@ml-conta.example> | Sua conta foi limitada
Prezado cliente, sua conta foi bloqueada por atividade suspeita. Regularize agora: https://mercadolivre.ml-conta.example
nl | ING <info@ing-controle.example> | Uw betaalpas verloopt
Beste klant, uw betaalpas verloopt binnenkort. Vraag uw nieuwe betaalpas aan en bevestig uw gegevens: https://ing-controle.example
pl | InPost <info@paczka-inpost.example> | Paczka wstrzymana
Twoja paczka została wstrzymana z powodu niedopłaty. Prosimy dopłać 1,99 zł: https://inpost.paczka-doplata.example
ru | Госуслуги <info@gosuslugi-vyplata.example> | Вам одобрена компенсация
Вам одобрена денежная компенсация. Получите выплату сегодня: https://vyplata-gos.example
webmail upgrade | Webmail Administrator <admin@webmail-upgrade.example> | Upgrade your mailbox
Dear user, we are upgrading our webmail server. Click here to validate your mailbox or it will be deactivated: https://forms.gle/xyz123
purchase order | Li Wei <sales@trade-goods.example> | RE: PO 88213
Kindly find attached our new purchase order and send your best price with bank details for the deposit. Password for the file is 4412.
loan | Loan Firm <loans@easyfund.example> | Loan offer
Do you need an urgent loan at 2% interest rate? We offer business and personal loans with no collateral. Apply now by replying with your name, amount needed and phone number.
amazon callback | Amazon Order Desk <orders@order-desk.example> | Your order of $1,129.00
Your account was charged $1,129.00 for a laptop. If you did not place this order, call our support team at +1 (888) 555-0142 to cancel it and get a refund.
mcafee callback | McAfee Billing <renewals@billing-help.example> | Subscription renewed
Your subscription was renewed for two years and your card was charged $399.99. To cancel, call us within 24 hours at +1 (877) 555-0119.
paypal callback | PayPal Alerts <alert@pay-alerts.example> | You sent a payment of $684.20
A payment of $684.20 was charged to your account. If you don't recognise this transaction, call +1 (855) 555-0163 to dispute it and get your refund.
cn loan | 融资部 <news@rongzi.example> | 贷款
无抵押贷款，在家轻松赚钱，详情 http://192.0.2.19/
cn income | 招聘 <job@zhaopin.example> | 兼职
在家轻松赚钱，月入过万，低息贷款 http://192.0.2.41/
`);

/** Fraud that only the meaning of its words gives away. */
const PLAIN_WORDS = ["loan"];

/** Fraud that is held. */
export const FRAUD = INVENTED_FRAUD.filter(({ what }) => !PLAIN_WORDS.includes(what));

/** Fraud that is known to be let through. */
export const LET_THROUGH = INVENTED_FRAUD.filter(({ what }) => PLAIN_WORDS.includes(what));

/** Honest counterparts: companies, colleagues and friends on the same topics. */
export const HONEST = letters(`
voicemail | Kestrel Phone <noreply@kestrelphone.example> | New voicemail from Ada Field
<p>You have a new voicemail from Ada Field (0:43).</p><a href="https://app.kestrelphone.example/v/1">Listen</a>
docusign | DocuSign <dse@docusign.net> | Complete with DocuSign: Lease
<p>Bo Miller sent you a document to review and sign.</p><a href="https://na4.docusign.net/x">Review document</a><p>Do not share this email.</p>
google doc | Bo Miller (via Google Docs) <drive-shares-noreply@google.com> | Minutes – invitation to edit
<p>Bo Miller has invited you to edit the following document: Minutes</p><a href="https://docs.google.com/d/1">Open</a>
colleague doc | Bo Miller <bo@kestrel-build.example> | Minutes
I shared the document with you, please open it when you have time: https://docs.google.com/d/1
password expiry genuine | IT <it@kestrel-build.example> | Your password expires in 7 days
Hi, your password expires in 7 days. Press Ctrl+Alt+Del and choose Change password, or visit https://id.kestrel-build.example. We never ask for your password by email.
mfa setup | Northwind <no-reply@northwind.example> | Set up two-factor authentication
To set up two-factor authentication, open your authenticator app and scan the QR code in your security settings: https://app.northwind.example/security
paypal receipt | service@paypal.com <service@paypal.com> | Receipt for your payment
You sent a payment of $49.99 USD to Northwind Books. It may take a few moments for this transaction to appear in your account. Questions? Go to the Help Center at www.paypal.com/help.
norton renewal genuine | Norton <no-reply@norton.com> | Your subscription renews soon
Your Norton 360 subscription will automatically renew on May 3 for $99.99. To cancel or manage your subscription, sign in to my.norton.com.
ceo meeting | Mark Ellison <mark@kestrel-build.example> | Tomorrow
I'm in a meeting until three and can't talk. Could you send me the slides for tomorrow when they are ready? Thanks, Mark
gmail friend | Ada Field <ada.field@gmail.com> | Saturday
Hi! Are you free on Saturday? My account at the library was blocked so I can't renew the book, could you pick it up? Text me.
gmail freelancer invoice | Ivo Blank <ivo.blank.design@gmail.com> | Invoice 12
Hi, please find attached my invoice for May, 800 EUR. My bank details are on the invoice as always. Thanks and have a good week, Ivo
payroll genuine | Payroll <payroll@kestrel-build.example> | Your direct deposit was changed
Your direct deposit information was updated on May 3. If you did not make this change, contact payroll at extension 4412.
vendor details | Accounts <ap@northwind.example> | Statement for May
Please find attached the statement of account. Our bank details have not changed. Payment is due in 30 days.
parcel genuine | DHL Paket <noreply@dhl.de> | Ihr Paket kommt morgen
Guten Tag, Ihre Sendung wird morgen zwischen 10 und 12 Uhr zugestellt. Sie können die Zustellung hier ändern: https://www.dhl.de/x
customs genuine | An Post <no-reply@anpost.com> | Customs charge due on your parcel
A customs charge is due on your parcel. Pay the fee online at https://www.anpost.com/customs and we will deliver it.
sparkasse genuine | Sparkasse <newsletter@sparkasse.de> | Neue Funktionen in der App
Guten Tag, die Sparkassen-App hat neue Funktionen. Lesen Sie mehr auf https://www.sparkasse.de/app
netflix genuine | Netflix <info@account.netflix.com> | Update your payment method
We couldn't process your payment. Please update your payment details to keep watching: https://www.netflix.com/account
job application | Nia Holm <nia.holm@outlook.com> | Application as a backend developer
Dear hiring team, I would like to apply for the remote job on your website. I have six years of experience and attach my resume. My phone number is +1 555 013 8842. Best regards, Nia
seo report | Analytics <noreply@stats.example> | Your monthly site report
Visits to your website rose by 12 % in May. The ranking of three pages improved. See the report: https://app.stats.example/r/1
shop on whatsapp | Blue Bakery <hello@bluebakery.example> | Your cake is ready
Hi Bo, your cake is ready for pickup from 9 to 6. Questions? Message us on WhatsApp or just reply. See you soon!
tax genuine | HMRC <no-reply@notifications.service.gov.uk> | You have a new message
You have a new message about your tax refund. Sign in to your account to read it. For security we do not include links.
amazon genuine | Amazon.com <account-update@amazon.com> | Sign-in from a new device
Someone signed in to your Amazon account from a new device. If this was you, you can ignore this message. If not, visit www.amazon.com/security.
apple genuine | Apple <no_reply@email.apple.com> | Your receipt from Apple
Receipt. Apple Account: bo@kestrel-build.example. iCloud+ 200 GB monthly, renews June 3. $2.99
meta genuine | Facebook <security@facebookmail.com> | Did you just log in?
We noticed a login from a new device near Bremen. If this was you, no action is needed. If not, secure your account at https://www.facebook.com/hacked
qr ticket | Grand Theatre <tickets@grandtheatre.example> | Your tickets
Thank you for your order. Scan the QR code at the entrance. Doors open at 7 pm.
scanner | Copier <copier@kestrel-build.example> | Scan from copier
A document was scanned and is attached.
mercadolivre genuine | Mercado Livre <noreply@mercadolivre.com.br> | Sua compra foi enviada
Olá Bo, sua compra foi enviada e chega na quinta-feira. Acompanhe a entrega em https://www.mercadolivre.com.br/compras
nl bank | ING <no-reply@ing.nl> | Uw nieuwe betaalpas is onderweg
Beste Bo, uw betaalpas verloopt in juni. Uw nieuwe betaalpas is onderweg en komt binnen vijf werkdagen. U hoeft niets te doen.
inpost genuine | InPost <powiadomienia@inpost.pl> | Paczka w drodze
Twoja paczka jest w drodze. Odbierz ją w paczkomacie do piątku. Kod odbioru znajdziesz w aplikacji.
newsletter | Blue Bakery <news@bluebakery.example> | Summer sale
Save 20% on all cakes this weekend. Order now at https://www.bluebakery.example. You receive this because you subscribed. Unsubscribe at any time.
newsletter strong | Northwind Books <offers@northwind.example> | 50% off everything!
Our biggest sale of the year is here! Get 50% off all books plus free shipping on orders over $25. Click here to shop now. Offer ends Sunday. Limited time only. To unsubscribe from our mailing list, click here.
event | DevConf <team@devconf.example> | Last chance: early bird tickets
Early bird tickets end today! Save $100 and register now for three days of talks. Register: https://devconf.example/register. Not interested? Unsubscribe here.
saas onboarding | Tally <hello@tally.example> | Welcome to Tally
Welcome! Your free trial has started. Click here to set up your account and invite your team. No credit card required. Questions? Just reply to this email.
bank loan offer | Northwind Bank <service@northwind-bank.example> | Your pre-approved loan offer
As a customer you are pre-approved for a personal loan with rates from 4.9 %. Apply in the app. Terms apply. Unsubscribe from offers in your settings.
donation | Clear Rivers <hello@clearrivers.example> | Your gift doubles today
Today every donation is doubled by our partners. Your $20 becomes $40 for clean rivers. Donate now: https://clearrivers.example/give. Thank you!
survey | Kestrel Hotels <feedback@kestrelhotels.example> | How was your stay?
Dear guest, thank you for your stay. Please take our two-minute survey and you could win a $100 voucher: https://survey.kestrelhotels.example/1
recruiter | Tom Reed <tom@talentworks.example> | Senior engineer role
Hi, I came across your profile and we are looking for a senior engineer. The salary is $150,000 to $180,000, fully remote. Are you open to a call this week?
cold sales | Jane <jane@opsware.example> | Quick question
Hi Bo, I noticed your team is growing. We help companies increase productivity by 30%. Would you be interested in a quick call next week? Best, Jane
shop newsletter | Kestrel Outdoor <news@kestrel-outdoor.example> | 🍂 Autumn is here: new jackets from 79 €
<table><tr><td><a href="https://click.letterpost.example/f/q9xk27fm3zt8vb41cd90wn55re"><img src="https://cdn.letterpost.example/h.png" alt="Kestrel Outdoor"></a></td></tr></table><h1>New jackets for cold mornings</h1><p>We have worked on this collection for a year: recycled down, repaired for free for as long as you wear it.</p><a style="background:#0a5;padding:12px;border-radius:6px" href="https://click.letterpost.example/f/a1b2c3d4e5f6g7h8i9j0k1l2m3">Shop the collection</a><a href="https://click.letterpost.example/f/Zk81mQx72Lp09vRt55Ws31Yh"><img src="https://cdn.letterpost.example/2.png" alt="Two hikers"></a><p>You get this because you bought from us. <a href="https://click.letterpost.example/u/u7t6r5e4w3q2a1s9d8f7g6h5j4">Unsubscribe</a></p>
picture newsletter | Lumen Gallery <hello@lumen-gallery.example> | Opening on Friday
<a href="https://lumen.letterpost.example/c/a1b2c3d4e5f6g7h8i9j0k1l2m3"><img src="https://cdn.letterpost.example/poster.jpg" alt="Poster of the exhibition"></a><p>Can't see the picture? View it in your browser. <a href="https://lumen.letterpost.example/u/q9xk27fm3zt8vb41cd90wn55re">Unsubscribe</a></p>
confirm address by a mailer | Northwind <no-reply@northwind.example> | Confirm your e-mail address
<h2>Nearly there</h2><p>Thank you for signing up, Bo. Please confirm that this address is yours.</p><a style="display:inline-block;padding:14px 28px;background:#2563eb;color:#fff;border-radius:8px" href="https://u1234.ct.mailrelay.example/ls/click?upn=q9xk27fm3zt8vb41cd90wn55re">Confirm e-mail</a><p>If it wasn't you who signed up, ignore this mail.</p>
receipt with button | Tern Software <billing@tern-software.example> | Your receipt #2231-8840 ($48.00)
<h2>Receipt from Tern Software</h2><table><tr><td>Team plan, November</td><td>$48.00</td></tr></table><p>Paid with the card ending in 4242.</p><a style="padding:10px;border-radius:4px" href="https://pay.tern-software.example/receipts/Zk81mQx72Lp09vRt55Ws31Yh">Download invoice</a><p>Questions? Write to billing@tern-software.example.</p>
order shipped | Aldermoor Books <orders@aldermoor-books.example> | Your order 40021893 is on its way
<p>Hi Bo, your parcel left our warehouse this morning and should be with you on Thursday.</p><p>Tracking number: 1Z 999 AA1 01 2345 6784</p><a style="background:#222;color:#fff;padding:12px" href="https://track.parcelview.example/t/a1b2c3d4e5f6g7h8i9j0k1l2m3">Track parcel</a>
social notification | Chirrup <notify@chirrup.example> | Ada Field and 3 others replied to you
<table><tr><td><img src="https://img.chirrup.example/a.png"></td><td>Ada Field: That walk was lovely, let's do it again!</td></tr></table><a style="border-radius:20px;padding:8px" href="https://chirrup.example/n/q9xk27fm3zt8vb41cd90wn55re">See the conversation</a><p><a href="https://chirrup.example/settings/unsubscribe">Unsubscribe</a></p>
doctor's reminder | Dr Miller's Practice <termine@praxis-miller.example> | Erinnerung an Ihren Termin am 03.12.
<p>Guten Tag Frau Feld,</p><p>wir erinnern Sie an Ihren Termin am 3. Dezember um 9:30 Uhr. Falls Sie nicht kommen können, sagen Sie bitte hier ab:</p><a style="padding:8px;background:#eee" href="https://praxis.terminbuch.example/absagen/Zk81mQx72Lp09vRt55Ws31Yh">Termin absagen</a><p>Ihre Praxis Dr. Miller</p>
school letter | Escola do Vale <secretaria@escola-vale.example> | Reunião de pais: quinta-feira
<p>Caras famílias,</p><p>a reunião de pais é na quinta-feira às 18h no ginásio. A ordem de trabalhos está na página da escola.</p><a href="https://escola-vale.example/reuniao">Ver a ordem de trabalhos</a><p><a href="https://boletim.letterpost.example/u/u7t6r5e4w3q2a1s9d8f7g6h5j4">Cancelar assinatura</a></p>
charity newsletter | Association Rivière <lettre@riviere.example> | Merci ! Grâce à vous, 300 arbres plantés
<img src="https://cdn.letterpost.example/arbres.jpg"><p>Chère amie, cher ami, cet automne vous avez été deux cents à venir planter avec nous. Voici quelques images de cette belle journée.</p><a href="https://click.letterpost.example/f/a1b2c3d4e5f6g7h8i9j0k1l2m3">Voir les photos</a><p><a href="https://click.letterpost.example/u/Zk81mQx72Lp09vRt55Ws31Yh">Se désabonner</a></p>
ticket | Harbour Hall <tickets@harbour-hall.example> | Your tickets for Saturday (booking HH-77120X)
<p>Thank you for your booking. Show this code at the door.</p><img src="cid:code1"><p>Doors open at 19:00. Seat K14.</p><a href="https://tickets.seatly.example/o/q9xk27fm3zt8vb41cd90wn55re">Manage booking</a>
bank notice | Vale Credit Union <service@valecu.example> | Your statement is ready
<p>Your statement for October is ready. For your security, this mail has no link: sign in as you always do to read it.</p><p>Vale Credit Union, member service</p>
survey | Fern Hotels <feedback@fern-hotels.example> | How was your stay?
<img src="https://cdn.guestvoice.example/fern.png"><p>Dear Ms Field, thank you for staying with us. Would you answer three questions? It takes a minute.</p><a style="background:#184;padding:12px;border-radius:3px" href="https://guestvoice.example/s/u7t6r5e4w3q2a1s9d8f7g6h5j4">Start</a>
photo from a friend | Ada Field <ada.field@gmail.com> | the bridge
<div>look how far they are!</div><img src="cid:img1"><div>Sent from my phone</div>
shared mailbox | Clara Winter <office@praxis-am-markt.example> | Your appointment on Tuesday
<p>Dear Mr Miller, we look forward to seeing you on Tuesday at 10:15.</p><a style="padding:10px;background:#246;color:#fff" href="https://praxis-am-markt.example/termin/Zk81mQx72Lp09vRt55Ws31Yh">Confirm or cancel</a><p>Clara Winter, reception</p>
founder's letter | Jonas Ek <hello@fjordware.example> | What we built this summer
<p>Hi Bo,</p><p>it has been a busy summer here. Search is twice as fast, and you can now share a board with people outside your team.</p><a style="background:#111;padding:12px;border-radius:6px" href="https://fjordware.example/blog/summer?c=a1b2c3d4e5f6g7h8i9j0k1l2m3">Read more</a><p>Jonas</p><p><a href="https://fjordware.example/unsubscribe/q9xk27fm3zt8vb41cd90wn55re">Unsubscribe</a></p>
nickname and album | Peter Hall <blueheron77@gmail.com> | photos!
<div>here are the photos from Sunday, click the link for the whole album</div><div><a href="https://photos.albumshare.example/s/u7t6r5e4w3q2a1s9d8f7g6h5j4">Sunday at the lake</a></div>
human resources | Human Resources <people@kestrel-build.example> | Benefits: please choose by Friday
<p>Hello everyone,</p><p>please choose your benefits for next year by Friday. Click here to open the form: <a href="https://intranet.kestrel-build.example/benefits">Benefits</a>. If you have questions, come to the third floor.</p>
library | Your Branch Library <circulation@vale.example> | Overdue: 2 items
<p>Dear reader, two items are overdue. Your card is blocked for new loans until they are back.</p><a href="https://catalogue.vale.example/account">See your account</a>
class booked | Harbour Yoga <bookings@studio9.example> | You're booked: Thursday 18:30!
<h2>See you on Thursday</h2><p>Your place in the evening class is booked. You can cancel until noon on the day.</p><a style="border-radius:20px;padding:12px;background:#7a4" href="https://studio9.example/b/q9xk27fm3zt8vb41cd90wn55re">Manage booking</a>
morning paper | The Morning Gazette <letters@dailyvale.example> | Tuesday's five stories
<img src="https://cdn.letterpost.example/gazette.png"><h1>Good morning</h1><p>The bridge reopens, the council votes, and a heron moves into the park. Five stories in four minutes.</p><a href="https://click.letterpost.example/f/a1b2c3d4e5f6g7h8i9j0k1l2m3">Read today's stories</a><p><a href="https://click.letterpost.example/u/Zk81mQx72Lp09vRt55Ws31Yh">Unsubscribe</a></p>
class letter | Klasse 4b <sekretariat@grundschule-nord.example> | Ausflug am Freitag
<p>Liebe Eltern,</p><p>am Freitag fahren wir ins Museum. Bitte füllen Sie bis Mittwoch die Einwilligung aus: <a href="https://grundschule-nord.example/formular/ausflug">hier klicken</a>.</p>
registration | Annual Meeting <events@vdk-verband.example> | Registration 2231-8840 confirmed
<p>Thank you for registering. Your invoice over 120 € is ready.</p><a style="padding:8px;background:#eee" href="https://vdk-verband.example/invoice/Zk81mQx72Lp09vRt55Ws31Yh">Download invoice</a>
build status | Nightly Run <ci@forge.example> | main: failed (4 of 2,113)
<p>Four tests failed on main.</p><a href="https://forge.example/runs/88213/u7t6r5e4w3q2a1s9d8f7g6h5j4">Open the log</a>
quotation | Elena Marin <sales@tradeparts.example> | Quotation 40021893 ($1,240)
<p>Dear Bo, thank you for your call. Our offer for the two pumps is $1,240 including delivery, valid for 30 days. You find the data sheets here: <a href="https://tradeparts.example/pumps">pumps</a>.</p><p>Kind regards, Elena Marin</p>
energy bill | Sunrise Energy <rechnung@stadtwerke-tal.example> | Ihre Rechnung über 84,20 €
<p>Guten Tag Frau Feld, Ihre Rechnung ist da. Wir buchen den Betrag am 15. ab.</p><a style="padding:10px;background:#fc0" href="https://stadtwerke-tal.example/kunde/rechnungen">Zur Rechnung</a>
donation of friends | Friends of the Park <campaign@oakwood.example> | Only $2,000 to go!
<img src="https://oakwood.example/trees.jpg"><p>Two hundred neighbours have given already. With $20 you plant a tree today.</p><a style="background:#184;padding:12px" href="https://oakwood.example/give?r=q9xk27fm3zt8vb41cd90wn55re">Give $20</a><p><a href="https://oakwood.example/lists/unsubscribe.php?id=88213">Unsubscribe</a></p>
password reset | Orbit Desk <noreply@obrt-app.example> | Reset your password
<p>Somebody asked to reset the password of your account. If it was you, use the button within 24 hours. If not, ignore this mail.</p><a style="padding:14px;background:#2563eb;color:#fff" href="https://obrt-app.example/reset/u7t6r5e4w3q2a1s9d8f7g6h5j4">Reset password</a>
forum sign-up | Garden Forum <noreply@blumenfreunde.example> | Please confirm your e-mail address
<p>Welcome! Click the link to confirm your account:</p><a href="https://blumenfreunde.example/forum/ucp.php?mode=activate&amp;k=a1b2c3d4e5f6g7h8i9j0k1l2m3">Confirm</a>
coffee shop | Lucky Bean <hi@roastery.example> | 20% off this weekend ☕
<a href="https://roastery.example/c/Zk81mQx72Lp09vRt55Ws31Yh"><img src="https://roastery.example/beans.jpg"></a><p>All beans 20% off until Sunday. Click here to shop.</p><p><a href="https://roastery.example/u/q9xk27fm3zt8vb41cd90wn55re">Unsubscribe</a></p>
clinic reminder | Ana Ruiz <contacto@clinica-sol.example> | Recordatorio de su cita
<p>Estimada Sra. Campo: le recordamos su cita del jueves a las 9:30. Para cambiarla, haga clic aquí:</p><a href="https://clinica-sol.example/cita/u7t6r5e4w3q2a1s9d8f7g6h5j4">Cambiar la cita</a>
small shop ships | Camille Roux <boutique@atelier-nord.example> | Votre commande est partie
<p>Bonjour, votre colis est parti ce matin et arrivera jeudi. Merci de votre commande !</p><a style="padding:10px;background:#333;color:#fff" href="https://suivi.colisvue.example/t/a1b2c3d4e5f6g7h8i9j0k1l2m3">Suivre le colis</a><p>Camille</p>
club fee | Pat Lindqvist <treasurer@rvclub.example> | Membership fee 2026: 60 €
<p>Dear members, the fee for 2026 is due at the end of the month. Please pay as usual; the details are on the members' page: <a href="https://rvclub.example/members.php">members</a>. Thank you, Pat</p>
alumni | Alumni Relations <gifts@stclare.example> | A gift that counts twice
<p>Dear Ada, until Sunday every gift to the scholarship fund is doubled by a friend of the college.</p><a style="padding:12px;border-radius:4px" href="https://stclare.example/give/Zk81mQx72Lp09vRt55Ws31Yh">Make a gift</a>
landlord | Ruth Amos <wohnen@hv-sued.example> | Ablesung der Zähler
<p>Sehr geehrte Mieterinnen und Mieter, die Zähler werden am 3. Dezember abgelesen. Bitte tragen Sie Ihre Zeit hier ein: <a href="https://hv-sued.example/ablesung">Termine</a>.</p>
crypto exchange | Fern Exchange <no-reply@fern-exchange.example> | Your withdrawal of 0.02 BTC is on its way
<p>Hi Ada, your withdrawal of 0.02 BTC has left your wallet. It arrives after six confirmations. You see your balance in the app.</p><a style="padding:10px;background:#183;color:#fff" href="https://fern-exchange.example/tx/q9xk27fm3zt8vb41cd90wn55re">See the transaction</a>
home insurance | Vale Insurance <renewals@vale-insurance.example> | Your home insurance renews in March
<p>Dear Ms Field, your home insurance renews on 3 March. The new rates are attached; you need not do anything. To compare other cover, call us.</p><a href="https://vale-insurance.example/renewals/u7t6r5e4w3q2a1s9d8f7g6h5j4">See your policy</a>
nameless alarm |  <alerts@pulsewatch.example> | [OK] shop.kestrel.example is up again
<table><tr><td>shop.kestrel.example</td><td>up</td></tr></table><p>Down for 4 minutes.</p><a href="https://pulsewatch.example/i/88213">See the incident</a>
nameless receipt |  <noreply@parkandgo.example> | Parking receipt 40021893
<p>Thank you. You parked in Mill Street from 9:02 to 11:40.</p><p>Paid: 6.40 €</p><a href="https://parkandgo.example/receipts/Zk81mQx72Lp09vRt55Ws31Yh">Download receipt</a>
nameless newsletter |  <news@riverside-cinema.example> | This week at the Riverside
<a href="https://riverside-cinema.example/week"><img src="https://riverside-cinema.example/week.jpg"></a><p>Three films, one of them silent. Click here for the times.</p><p><a href="https://riverside-cinema.example/unsubscribe.php?u=2231">Unsubscribe</a></p>
recruiter's calendar | Nia Holm <talent@opsware.example> | Time for a call?
<p>Hi Ada, thank you for applying. Would you choose a time for a first call? <a href="https://cal.meetwhen.example/opsware/q9xk27fm3zt8vb41cd90wn55re">Choose a time</a></p><p>Nia</p>
meeting link | Bo Miller <bo@kestrel-build.example> | Call tomorrow
<div>Hi Ada, here is the link for tomorrow: <a href="https://meet.conferly.example/j/8841120034?pwd=Zk81mQx72Lp09vRt55Ws31Yh">join the call</a></div><div>Bo</div>
`);

/** Honest advertising. */
export const OFFERS = letters(`
flash sale | Brand <news@brand.example> | Flash sale
48 hours only: take an extra 30% off sale styles. Free returns within 60 days. Shop women, shop men, shop kids. Don't miss out!! You can update your email preferences or opt out here.
your prime benefits | Brand <news@brand.example> | Your Prime benefits
Did you know? Your membership includes free delivery, exclusive deals and thousands of movies. Start exploring your benefits now. Click here to learn more.
credit card offer | Brand <news@brand.example> | Credit card offer
You've been selected for the Kestrel Rewards card. Earn 3% cash back on groceries and 0% intro APR for 15 months. No annual fee. Apply today. If you prefer not to receive offers, click unsubscribe.
gym | Brand <news@brand.example> | Gym
New year, new you! Join today and get your first month free. No joining fee, cancel anytime. Call us at 555-0188 or visit our website. We look forward to seeing you!
real estate | Brand <news@brand.example> | Real estate
5 new homes in your price range. 3 bed, 2 bath, $425,000. Schedule a tour with your agent or get a free home value estimate. Mortgage rates from 6.1%.
course | Brand <news@brand.example> | Course
Learn Python in 30 days. Enroll now for just $19.99 (regular price $129.99). Lifetime access, money-back guarantee. This offer expires tonight.
cold email | Brand <news@brand.example> | Cold email
Hi Dana, we work with businesses like yours to generate more leads through email marketing. Our clients see 3x more sales within 90 days. Can I send you more information? Reply with yes and I'll share our price list.
travel | Brand <news@brand.example> | Travel
Dream trips from $299! Book your vacation package now and save up to 40% on hotels and flights. Offer valid for travel through August. Prices are per person.
pharmacy | Brand <news@brand.example> | Pharmacy
Your order from Green Pharmacy has been shipped. Vitamin D 60 tablets, ibuprofen 200 mg. Track your package. For medical questions call your doctor.
political | Brand <news@brand.example> | Political
Friend, we are only $5,000 short of our goal tonight. Will you chip in $10 right now? Every dollar helps. Contribute now. Paid for by Friends of Mara.
saas update | Brand <news@brand.example> | SaaS update
What's new in March: faster search, new integrations, and a free API tier. Check out the release notes. Want early access? Join our beta program.
bank | Brand <news@brand.example> | Bank
You may be able to lower your monthly payment. Consolidate your debt with a personal loan and one low monthly payment. Check your rate with no impact on your credit score.
invoice reminder | Brand <news@brand.example> | Invoice reminder
This is a friendly reminder that invoice 1093 for $2,450.00 is 15 days past due. Please send payment at your earliest convenience or contact us to arrange a payment plan.
dating app | Brand <news@brand.example> | Dating app
You have 3 new likes! See who likes you. Open the app to chat with people nearby. Upgrade to Gold for unlimited likes. Unsubscribe from these emails.
insurance quote | Brand <news@brand.example> | Insurance quote
Your quote is ready. $47.20 per month for full coverage. Compare our rates and save an average of $500 a year. Get your quote online or talk to an agent.
stock brokerage | Brand <news@brand.example> | Stock brokerage
Your limit order to buy 20 shares was filled at $31.04. Total cost: $620.80. View details in the app. Investing involves risk.
lottery official | Brand <news@brand.example> | Lottery official
Your tickets for Saturday's draw: 4, 8, 15, 16, 23. Good luck! You won $4 in Wednesday's draw; the winnings are in your account.
vendor intro | Brand <news@brand.example> | Vendor intro
Dear purchasing manager, we are a leading manufacturer of ceramic capacitors with 20 years of experience. We can offer the best quality at competitive prices. Please contact us for a catalogue and free samples.
`);

/**
 * Words of pressure about accounts and money, by meaning, folded; `stem*` covers all endings. All languages
 * share one list.
 */
export const PRESSURE_WORDS = {
  verify: `verify verifying verification confirm confirming validate validation revalidate authenticate reactivate unlock restore reconfirm
    verifizieren bestatigen bestatige bestatigung aktualisieren entsperren reaktivieren uberprufen verifie* verifier confirmez confirmer validez valider reactiver debloquer
    verifique verificar verifica confirme confirmar confirma valide validar reactivar desbloquear valida atualize atualizar regularize regularizar reative desbloquear
    verificare verifichi verificate confermi aggiorni conferma confermare convalida sbloccare aggiorna aggiornare verifieer bevestig bevestigen bijwerken подтверд* проверьте обновите восстанов* potwierdz* zweryfikuj* zaktualizuj* onayla* dogrula* guncelle*`,
  account: `account accounts login wallet identity mailbox profile billing membership subscription card details information password credentials apple-id domain
    konto kontos kontodaten kundenkonto zugang identitat kundendaten passwort karte rechnungsdaten compte comptes identite carte coordonnees abonnement
    cuenta cuentas identidad tarjeta datos suscripcion conta cadastro cartao dados senha assinatura cpf conto identita carta dati abbonamento account rekening gegevens betaalpas
    аккаунт* учетн* счет* карт* данные kont* tozsamosc* dane hesap* hesab* kart* bilgi*`,
  threat: `suspend suspended suspension locked lock limited restricted restriction deactivate deactivated deactivation terminate terminated termination disabled blocked closed expired expires expire expiring deleted cancelled canceled interrupted unauthorized unusual suspicious discontinued
    gesperrt sperrung eingeschrankt deaktiviert gekundigt geschlossen abgelaufen lauft verdachtig* ungewohnlich* suspendu* bloque* limite* desactive* expire* resilie* inhabituelle suspecte
    suspendid* bloquead* limitad* desactivad* cancelad* vencid* caduca* inusual sospechos* suspens* bloqueio desativad* suspeit* sospes* bloccat* limitat* disattivat* scadut* sospett* geblokkeerd opgeschort verlopen verloopt beperkt
    заблокирован* приостановлен* ограничен* истекает истек подозрительн* zablokowan* zawieszon* wygasa askiya kisitlandi kapatilacak`,
  urgent: `urgent urgently immediately asap promptly now today final last hours deadline overdue important
    dringend sofort umgehend unverzuglich letzte stunden heute frist urgente urgence immediatement immediat heures dernier delai
    inmediatamente inmediato horas ultimo plazo hoy imediatamente imediato hoje prazo urgentemente immediatamente subito ultima oggi scadenza onmiddellijk dringend uur laatste vandaag
    срочно немедленно часов сегодня последн* pilne natychmiast godzin acil hemen saat`,
  within:
    "within in before until or avoid prevent failure otherwise innerhalb binnen vor bis sonst vermeiden dans sous avant sinon eviter dentro antes evitar entro prima evitare anders voorkomen течение до иначе ciagu przed icinde",
  click:
    "click tap follow press open visit log login sign klicken klick anklicken tippen besuchen melden cliquez cliquer connectez haga hacer pulse clic ingrese acceda clique acesse toque clicca cliccare accedi acceda klik ga нажмите перейдите войдите kliknij zaloguj tiklayin giris clicking",
  link: "link below here button following hier unten schaltflache folgenden lien ci-dessous ici bouton enlace aqui boton siguiente abaixo botao seguinte qui pulsante sotto seguente onderstaande knop ссылк* ниже кнопк* здесь lacze tutaj ponizej baglanti asagidaki buraya",
  dear: "dear hello attention estimado estimada caro prezado prezada cher chere sehr geehrter geehrte gentile beste geachte уважаемый szanowny sayin",
  customer:
    "customer client user member subscriber cardholder beneficiary accountholder friend sir madam cliente usuario usuaria socio abonne kunde kundin nutzer utente abbonato klant клиент пользователь kliencie klient musteri webmail email titular",
  mailbox:
    "mailbox inbox storage quota webmail icloud postfach speicher speicherplatz boite messagerie stockage buzon almacenamiento armazenamento casella archiviazione postvak opslag ящик* хранилищ* skrzynka",
  full: "full exceeded exceed exceeds voll uberschritten pleine depasse llena lleno excedido agotado cheia cheio excedeu piena pieno esaurito superato vol переполнен* заканчива* pelna",
  stopped:
    "undelivered quarantined quarantine held withheld pending blocked undeliverable zuruckgehalten bloques retenidos bloqueados bloccati geblokkeerd",
  messages:
    "messages emails mails message nachrichten courriels correos mensajes mensagens messaggi berichten",
  parcel:
    "package parcel shipment courier delivery paket sendung lieferung zustellung colis livraison paquete envio entrega pacote encomenda pacco spedizione consegna pakket bezorging zending посылк* доставк* paczka przesylka kargo",
  stuck:
    "held hold undeliverable undelivered unpaid customs reschedule unsuccessful missed redelivery zollgebuhr* fehlgeschlagen angehalten douane echoue retenu retenido aduana* arancel* retido taxado alfandega* trattenut* dogana* mislukt invoerkosten таможн* задержан* wstrzyman* zugestellt",
  need: "pay payment fee fees confirm update address click schedule zahlen bezahlen gebuhr bestatigen adresse payer paiement frais confirmez regler pagar pago tasa tarifa direccion confirme actualice taxa endereco atualize pagamento indirizzo conferma betaal betalen bevestig adres оплат* подтверд* zaplac oplac oplat* potwierdz* adres paga zahle payez pague betaal bezahlt dopłać dopłaty niedopłat*",

  negation: "not never nicht nie pas jamais no nunca non mai niet nooit nao не",
  change:
    "changed changes changing updated new different geandert anderung neue neuen neues aktualisiert modifie changement nouveau nouvelle nouvelles cambiado cambio nueva nuevo nuevos alterado alteracao mudou nova novo novos cambiato modificat* nuovo nuova nuove gewijzigd nieuw nieuwe измен* новые новый новым zmian* zmienil* nowy nowe",
  bank: "bank banks banking iban routing ach wire beneficiary remittance bankverbindung bankdaten kontoverbindung bankkonto bancaire bancaires rib bancaria bancario bancarios bancarias bancari rekeningnummer bankrekening банковск* реквизит* bankow*",
  details:
    "details detail account information instructions data coordinates kontonummer konto daten coordonnees compte donnees datos cuenta dados conta coordinate dati conto gegevens rekening счет данные rachunk* dane konta",
  pay: "payment payments pay invoice invoices payroll salary deposit transfer remit settle wire zahlung zahlungen uberweisung rechnung gehalt paiement paiements virement facture salaire pago pagos factura transferencia nomina pagamento pagamentos fatura salario fattura bonifico stipendio betaling factuur salaris платеж* оплат* счет зарплат* platnosc* faktur* przelew*",
  gift: "gift geschenk cadeau regalo presente google apple amazon itunes steam vanilla razer walmart target ebay prepaid подарочн*",
  card: "card cards voucher vouchers karte karten gutschein* guthabenkarten geschenkkarten carte cartes tarjeta tarjetas cartao cartoes carta cadeaubon* cadeaukaart* карт*",
  buy: "codes scratch scratched reimburse reimbursed clients client staff employees behalf pictures purchase rubbel* fotos remboursez codigos codici kod коды",
  sum: "million millions billion usd eur dollars euros pounds gbp inheritance millionen millones millon milhoes milhao milioni miljoen миллион* milion*",
  bequest:
    "inheritance beneficiary next-of-kin kin deceased heir lottery unclaimed dormant bequeathed consignment widow widower late erbe erbschaft begunstigter verstorben* lotterie heritage beneficiaire decede don loterie herencia beneficiario fallecido loteria donacion heranca falecido doacao eredita beneficiario defunto lotteria donazione erfenis overleden loterij наследств* умер* лотере* spadek",
  trust:
    "contact reply proposal partnership transfer confidential assist assistance transaction urgent foreign kontaktieren antworten vorschlag contacter repondez proposition contactar respuesta propuesta contato proposta contattare rispondere voorstel свяжитесь предложени*",
  won: "won win winner winners selected chosen congratulations congrats lucky exclusive reward rewards gewonnen gewinner ausgewahlt gluckwunsch gagne gagnant selectionne felicitations ganado ganador seleccionado felicidades premiado ganhou ganhador selecionado parabens vinto vincitore selezionato congratulazioni gewonnen winnaar geselecteerd gefeliciteerd выигра* поздравля* победител* wygral* gratulacje expiram expiran expirent",
  prize:
    "prize reward gift voucher giveaway iphone samsung macbook points cash jackpot preis gewinn gutschein pramie prix cadeau bon premio regalo sorteo brinde premio buono prijs cadeau приз* подарок nagroda points pontos puntos punti punkte miles milhas yeti",
  claim:
    "claim redeem collect survey answer participate receive confirm expires einlosen abholen umfrage beanspruchen reclamer recevoir sondage reclamar reclame canjear encuesta resgatar resgate receber pesquisa ritirare riscuotere sondaggio ricevere claimen ontvangen enquete получи* забра* odbierz",
  coin: "bitcoin btc bitcoins usdt ethereum monero crypto cryptocurrency биткоин*",
  shame:
    "video webcam camera recorded recording footage masturbat* porn pornographic adult hacked malware trojan leaked rat photos aufgenommen aufnahme kamera gehackt enregistre piratee camara grabado hackeado gravei invadi registrato hackerato opgenomen gehackt видео записал* камер* взлома*",
  demand:
    "pay send transfer hours days wallet address contacts friends family zahlen senden stunden payez envoyez heures pague envie horas inviare ore betalen stuur uur переведи* отправ*",
  phrase:
    "seed recovery secret mnemonic private 12-word 24-word passphrase wiederherstellungs* semilla recuperacion recuperacao recupero",
  phrase_noun: "phrase phrases words key keys keystore worter frase frases palabras palavras parole chiave",
  enter:
    "enter provide submit import verify validate confirm share send type input eingeben saisissez saisir ingrese introduzca digite insira inserisci voer",
  wallet: "wallet wallets metamask ledger trezor coinbase trustwallet exodus phantom crypto blockchain",
  charge:
    "charged charge renewed renewal renew debited deducted subscription invoice order purchase transaction autorenewal auto-renew payment",
  call: "call dial phone helpline toll-free tollfree contact reach",
  undo: "cancel refund dispute unauthorized authorize authorise recognize recognise stop cancellation",
  phone: "number helpdesk support desk toll free team",
  favour:
    "favor favour task errand assignment gefallen aufgabe service tache favor encargo tarea tarefa favore compito gunst taak",
  available:
    "available desk busy verfugbar erreichbar disponible disponivel disponibile beschikbaar office buro bureau oficina escritorio ufficio kantoor",
  quick:
    "quick small urgent discreet confidential little kleinen dringende petit rapide pequeno rapido urgente piccolo kleine",
  presence: "are bist sind etes es esta estas voce sei ben bent",
  you: "you your du sie vous tu usted su voce seu lei je jij",
  personal:
    "cell cellphone mobile whatsapp personal handynummer handy portable movil celular cellulare mobiel",
  number: "number nummer numero phone telefon",
  give: "send text give share provide drop reply schick sende envoie envoyez envia envie manda stuur",
  refund:
    "refund reimbursement rebate compensation tax stimulus grant unpaid overpayment ruckerstattung erstattung remboursement reembolso devolucion restituicao rimborso terugbetaling возврат* компенсац* выплат* zwrot*",
  due: "claim eligible entitled receive process pending approved submit beantragen erhalten berechtigt beneficier recevoir eligible reclamar recibir solicitar receber solicite ricevere richiedere ontvangen aanvragen получить получите одобрена полагается odebrac",
  remedy:
    "viagra cialis pills erection erectile libido testosterone keto cbd gummies slimming supplement weight fat belly prostate tinnitus potenz abnehmen maigrir adelgazar emagrecer dimagrire afvallen похуд* потенц*",
  boost:
    "lose loss burn burner burning boost enlarge cure melt miracle doctors secret breakthrough discount cheap buy order today naturally",
  dating:
    "singles hookup hookups dating sexy horny nude nudes naked lonely milf girls women einsame rencontres solteras solteiras donne знакомств* девушк*",
  meet: "meet chat near nearby tonight waiting message photos profile treffen rencontrer conocer conhecer incontrare ontmoeten познакомит*",
  airdrop:
    "airdrop bitcoin btc ethereum eth crypto token tokens usdt forex binary trading nft invest investment",
  returns: "profit profits double guaranteed returns free claim giveaway bonus passive daily earn withdraw",
  loan: "loan loans mortgage debt credit financing kredit darlehen pret prestamo emprestimo prestito lening кредит* pozyczk*",
  terms:
    "approval approved guaranteed interest rate rates consolidate refinance bad offer collateral apply quick instant zinsen taux interes juros tasso rente процент*",
  earn: "earn earning income money cash profit profits rich commission verdienen gagner ganar ganhar guadagnare verdienen заработ* zarob*",
  home: "home weekly monthly week month daily hours opportunity mlm residual financial freedom easy simple hause domicile casa thuis дом*",
  casino: "casino slots jackpot betting spins roulette poker casinos ставк* казино",
  bonus: "bonus free spins deposit win welcome gratis play бонус*",
  shield:
    "antivirus norton mcafee virus viruses malware device computer iphone pc protection security schutz ordinateur equipo computador",
  infected:
    "expired expires infected threats hacked unprotected renew renewal exposed abgelaufen infiziert expire infecte vencido infectado scaduto infetto verlopen заражен*",
  leads: "leads bulk seo backlinks traffic rank ranking rankings followers targeted",
  site: "website websites site webpage google",
  million_addresses: "million millions thousands guaranteed increase boost opt-in addresses visitors",
  removal: "remove removed removal unsubscribe",
  reply_word: "reply subject line list send mail e-mail click",
  payroll: "payroll deposit salary paycheck gehalt salaire nomina salario stipendio salaris",
  alter: "change update switch modify changed new andern changer cambiar alterar cambiare wijzigen",
  keep: "keep retain behalten conserver mantener manter mantenere behouden",
  password: "password passwort passe contrasena senha wachtwoord парол*",
  confidential:
    "confidential private discreet secret vertraulich confidentiel confidencial riservato vertrouwelijk",
  handle: "need handle process make complete initiate do arrange",
  wire: "wire bank urgent international",
  transfer: "transfer payment uberweisung virement transferencia bonifico overboeking",
  voice: "voicemail voicemails voice fax",
  received: "new received receive missed waiting left duration",
  hear: "listen play hear retrieve",
  shared: "shared shares sharing sent share partage geteilt compartido compartilhou",
  file: "file files document documents folder fichier datei archivo arquivo",
  view: "open view review access ouvrir offnen abrir sign",
  sign_in: "sign login log signin authenticate acknowledge anmelden",
  messenger: "whatsapp telegram wechat viber zalo",
  reach: "message contact text add join write chat reach",
  meeting: "meeting conference flight",
  unable: "can't cannot unable limited",
  talk: "talk call calls speak phone",
  scan: "scan scannen scannez escanea escaneie scansiona",
  qr: "qr qr-code",
  doubled: "double doubled twice back doppelt doble dobro",
} as const;

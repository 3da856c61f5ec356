/**
 * Words of false notices and offers, by meaning, folded; `stem*` covers all endings. All languages share one list, so a
 * word that means something else in another one is left out.
 */
export const LURE_WORDS = {
  plan: "subscription membership plan license licence storage service protection coverage domain hosting abonnement mitgliedschaft lizenz speicher speicherplatz stockage suscripcion membresia plan almacenamiento assinatura plano armazenamento abbonamento licenza archiviazione lidmaatschap opslag subskrypcj* подписк* хранилищ*",
  ended:
    "expired expires expiring ended ending cancelled canceled suspended terminated lapsed stopped abgelaufen lauft endet gekundigt expire expirera resilie suspendu termine caducad* vencid* expirad* expirou vence suspendid* cancelad* scadut* scade sospes* verlopen verloopt opgezegd beeindigd wygas* истек*",
  household:
    "insurance warranty solar roof roofing gutter gutters windows siding generator medicare burial funeral shower bathtub hearing mortgage timeshare versicherung photovoltaik solaranlage treppenlift zahnzusatzversicherung mutuelle panneaux chaudiere isolation seguro paneles placas consorcio assicurazione fotovoltaico zonnepanelen verzekering ubezpieczeni*",
  bargain:
    "quote quotes save savings rates compare qualify qualifies eligible seniors homeowners affordable cheapest sparen vergleich gunstig forderung economisez comparez devis aide ahorra ahorre compara economize compare risparmia confronta bespaar vergelijk oszczedz*",
  coin: "bitcoin btc ethereum eth usdt crypto cryptocurrency token tokens wallet ledger blockchain биткоин*",
  payout:
    "balance withdraw withdrawal payout mining deposit deposited airdrop claim transaction transferred earnings guthaben auszahlung retrait solde saldo retiro saque prelievo opnemen uitbetaling вывод*",
  stranger:
    "barrister attorney widow widower diplomat sergeant banker beneficiary consignment benefactor philanthropist orphan terminally chevalier notaire avocat veuve anwalt witwe notar abogad* viud* notari* advogad* viuv* avvocat* vedov* notai* weduwe notaris",
  fortune:
    "million millions billion donation donate funds fund inheritance compensation investment estate deposit bequest millionen spende erbschaft millions don heritage millones donacion herencia milhoes doacao heranca milioni donazione eredita miljoen donatie erfenis миллион*",
  answer:
    "reply contact respond email interested details urgently antworten kontaktieren repondre contacter interesse responder contactar contato responda rispondere contattare antwoorden",
} as const;

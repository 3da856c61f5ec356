/**
 * Words of offers, by meaning, folded; `stem*` covers all endings. All languages share one list, so a
 * word that means something else in another one is left out.
 */
export const LURE_WORDS = {
  household:
    "insurance warranty solar roof roofing gutter gutters windows siding generator medicare burial funeral shower bathtub hearing mortgage timeshare versicherung photovoltaik solaranlage treppenlift zahnzusatzversicherung mutuelle panneaux chaudiere isolation seguro paneles placas consorcio assicurazione fotovoltaico zonnepanelen verzekering ubezpieczeni*",
  bargain:
    "quote quotes save savings rates compare qualify qualifies eligible seniors homeowners affordable cheapest sparen vergleich gunstig forderung economisez comparez devis aide ahorra ahorre compara economize compare risparmia confronta bespaar vergelijk oszczedz*",
  coin: "bitcoin btc ethereum eth usdt crypto cryptocurrency token tokens wallet ledger blockchain биткоин*",
  payout:
    "balance withdraw withdrawal payout mining deposit deposited airdrop claim transaction transferred earnings guthaben auszahlung retrait solde saldo retiro saque prelievo opnemen uitbetaling вывод*",
} as const;

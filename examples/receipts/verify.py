"""Verifies receipts of approvals with Python and the package cryptography alone: python3 verify.py < vectors.json"""
import base64, calendar, hashlib, json, re, sys, time
from urllib.parse import urlsplit
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

decoded = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
number = lambda text: int.from_bytes(decoded(text), "big")
sha256 = lambda data: hashlib.sha256(data).hexdigest()
canonical = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
seconds = lambda text: calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))


class Refused(Exception):
    pass


def refuse_unless(holds, reason):
    if not holds:
        raise Refused(reason)


def verify(jws, keys, expect, eml=None):
    try:
        header, body, signature = jws.split(".")
        head, claims = json.loads(decoded(header)), json.loads(decoded(body))
        refuse_unless((head["alg"], head["typ"]) == ("EdDSA", "approval-receipt+jwt"), "malformed")
    except (ValueError, KeyError):
        raise Refused("malformed")
    key = next((each for each in keys if each["kid"] == head["kid"]), None)
    refuse_unless(key, "unknown_key")
    try:
        public = ed25519.Ed25519PublicKey.from_public_bytes(decoded(key["x"]))
        public.verify(decoded(signature), f"{header}.{body}".encode())
    except InvalidSignature:
        raise Refused("invalid_signature")
    refuse_unless(seconds(key["created_at"]) <= claims["iat"], "key_not_valid_then")
    refuse_unless(not key["retired_at"] or claims["iat"] <= seconds(key["retired_at"]), "key_not_valid_then")
    said = {"iss": claims["iss"], "account": claims["sub"], "approval": claims["jti"], "prev": claims["prev"]}
    said |= {"digest": claims.get("act", {}).get("digest"), "decision": claims.get("decision")}
    said |= {"parent": claims.get("parent")}
    reasons = {"iss": "other_issuer", "account": "other_account", "approval": "other_approval"}
    reasons |= {"digest": "other_digest", "decision": "other_decision"}
    reasons |= {"prev": "broken_chain", "parent": "other_parent"}
    for name, reason in reasons.items():
        wanted = expect.get(name, said[name])
        refuse_unless(said[name] == (sha256(wanted.encode()) if name == "parent" and name in expect else wanted), reason)
    if "parent" not in claims:
        refuse_unless(claims["asked_at"] <= claims["iat"] <= claims["expires_at"], "decided_too_late")
    passkeys = [each for each in claims.get("evidence", []) if each["type"] == "passkey"]
    refuse_unless(passkeys or "approver_keys" not in expect, "no_passkey")
    for each in passkeys:
        known = expect.get("approver_keys", [each["public_key"]])
        refuse_unless(each["public_key"] in known and signs(each, claims), "invalid_passkey")
    for each in claims.get("evidence", []):
        refuse_unless(each["type"] != "dkim" or is_reply(each), "invalid_dkim")
    refuse_unless(eml is None or is_mail(eml, claims["mime_sha256"]), "other_mail")
    return claims


def signs(passkey, claims):
    """Whether a passkey signed exactly this decision, and its person was verified on their device."""
    statement = {name: value for name, value in claims.items() if name not in ("iat", "prev", "evidence")}
    client, data = decoded(passkey["client_data"]), decoded(passkey["authenticator_data"])
    said, site = json.loads(client), urlsplit(claims["iss"])
    fits = said["type"] == "webauthn.get" and said["origin"] == f"{site.scheme}://{site.netloc}"
    fits = fits and decoded(said["challenge"]) == hashlib.sha256(canonical(statement)).digest()
    fits = fits and data[:32] == hashlib.sha256(site.hostname.encode()).digest() and data[32] & 5 == 5
    signed, signature, key = data + hashlib.sha256(client).digest(), decoded(passkey["signature"]), passkey["public_key"]
    try:
        if key["kty"] == "EC":
            point = ec.EllipticCurvePublicNumbers(number(key["x"]), number(key["y"]), ec.SECP256R1())
            point.public_key().verify(signature, signed, ec.ECDSA(SHA256()))
        elif key["kty"] == "RSA":
            numbers = rsa.RSAPublicNumbers(number(key["e"]), number(key["n"]))
            numbers.public_key().verify(signature, signed, padding.PKCS1v15(), SHA256())
        else:
            ed25519.Ed25519PublicKey.from_public_bytes(decoded(key["x"])).verify(signature, signed)
    except InvalidSignature:
        return False
    return fits


def is_reply(dkim):
    """Whether a reply's DKIM signature is of the header with this hash, by this key."""
    key, signature = load_der_public_key(base64.b64decode(dkim["key"])), base64.b64decode(dkim["signature"])
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, bytes.fromhex(dkim["header_hash"]), padding.PKCS1v15(), Prehashed(SHA256()))
        else:
            key.verify(signature, bytes.fromhex(dkim["header_hash"]))
    except InvalidSignature:
        return False
    return True


TRACE = re.compile(
    rb"(?:received|return-path|delivered-to|authentication-results|arc-[a-z-]+|dkim-signature|x-[\w-]+)[ \t]*:"
    rb"[^\n]*\n(?:[ \t][^\n]*\n)*",
    re.IGNORECASE,
)


def is_mail(eml, mime_sha256):
    """Whether a mail is the one with this hash, under whatever servers wrote above it."""
    while sha256(eml) != mime_sha256:
        above = TRACE.match(eml)
        if above is None:
            return False
        eml = eml[above.end() :]
    return True


if __name__ == "__main__":
    given, results = json.load(sys.stdin), {}
    for vector in given["vectors"]:
        eml = vector["eml"].encode() if "eml" in vector else None
        try:
            verify(vector["jws"], given["keys"], vector["expect"], eml)
            results[vector["name"]] = None
        except Refused as refused:
            results[vector["name"]] = str(refused)
    print(json.dumps(results))

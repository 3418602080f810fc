"""A service provider by python3-saml: one JSON document per line in, one per line out."""

import base64
import json
import sys
from urllib.parse import urlparse

from onelogin.saml2.auth import OneLogin_Saml2_Auth


def settings_of(given):
    certificate = "".join(line for line in given["certificate"].splitlines() if "-----" not in line)
    return {
        "strict": True,
        "sp": {"entityId": given["audience"], "assertionConsumerService": {"url": given["acsUrl"]}},
        "idp": {
            "entityId": given["issuer"],
            "singleSignOnService": {"url": "https://api.example.test/v2/meet-sso/sign-in"},
            "x509cert": certificate,
        },
        "security": {
            "wantAssertionsSigned": True,
            "wantMessagesSigned": True,
            "rejectDeprecatedAlgorithm": True,
            "rejectUnsolicitedResponsesWithInResponseTo": True,
        },
    }


def accept(given):
    acs = urlparse(given["acsUrl"])
    response = base64.b64encode(given["xml"].encode()).decode()
    request = {
        "https": "on",
        "http_host": acs.netloc,
        "script_name": acs.path,
        "post_data": {"SAMLResponse": response},
    }
    auth = OneLogin_Saml2_Auth(request, settings_of(given))
    auth.process_response(request_id=given["requestId"])
    if auth.get_errors():
        return {"error": auth.get_last_error_reason() or "refused"}
    return {"name": auth.get_nameid()}


for line in sys.stdin:
    try:
        reply = accept(json.loads(line))
    except Exception as error:  # Whatever it raises, the response is refused.
        reply = {"error": str(error) or type(error).__name__}
    print(json.dumps(reply), flush=True)

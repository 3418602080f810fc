// A service provider by crewjam/saml: one JSON document per line in, one per line out.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/crewjam/saml"
)

type given struct {
	Xml, Certificate, AcsUrl, Audience, Issuer, RequestId string
}

func accept(line []byte) (string, error) {
	var g given
	if err := json.Unmarshal(line, &g); err != nil {
		return "", err
	}
	block, _ := pem.Decode([]byte(g.Certificate))
	if block == nil {
		return "", errors.New("no certificate")
	}
	acs, err := url.Parse(g.AcsUrl)
	if err != nil {
		return "", err
	}
	data := saml.X509Data{X509Certificates: []saml.X509Certificate{{Data: base64.StdEncoding.EncodeToString(block.Bytes)}}}
	key := saml.KeyDescriptor{Use: "signing", KeyInfo: saml.KeyInfo{X509Data: data}}
	role := saml.RoleDescriptor{KeyDescriptors: []saml.KeyDescriptor{key}}
	idp := saml.IDPSSODescriptor{SSODescriptor: saml.SSODescriptor{RoleDescriptor: role}}
	provider := saml.ServiceProvider{
		EntityID:    g.Audience,
		AcsURL:      *acs,
		IDPMetadata: &saml.EntityDescriptor{EntityID: g.Issuer, IDPSSODescriptors: []saml.IDPSSODescriptor{idp}},
	}
	assertion, err := provider.ParseXMLResponse([]byte(g.Xml), []string{g.RequestId}, *acs)
	var invalid *saml.InvalidResponseError
	if errors.As(err, &invalid) {
		return "", invalid.PrivateErr
	}
	if err != nil {
		return "", err
	}
	return assertion.Subject.NameID.Value, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	for lines.Scan() {
		reply := map[string]string{}
		name, err := accept(lines.Bytes())
		if err != nil {
			reply["error"] = err.Error()
		} else {
			reply["name"] = name
		}
		text, _ := json.Marshal(reply)
		fmt.Println(string(text))
	}
}

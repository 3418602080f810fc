// Package rapporteur is the client of a Rapporteur deployment. Operations and models are in the package api.
package rapporteur

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"rapporteur/client/api"
)

var version = regexp.MustCompile(`/v\d$`)

// Client calls one deployment with one team's key. It opens nothing until its first call.
type Client struct {
	// API has every operation. What the service refuses is an *Error.
	API *api.ClientWithResponses
	// Bots has the life of a bot by short names.
	Bots *Bots
}

// Options of a client; the zero value has the defaults.
type Options struct {
	// HTTP makes the requests. Default: a client whose attempts end after 60 seconds.
	HTTP *http.Client
	// Retries after the first attempt, where repeating is safe. Default 2; negative: none.
	Retries int
}

// New returns a client of the deployment at baseURL, for example https://bots.example.com.
func New(baseURL, apiKey string, options Options) (*Client, error) {
	address := strings.TrimRight(baseURL, "/")
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return nil, errors.New("baseURL must be an address such as https://bots.example.com")
	}
	if version.MatchString(address) {
		return nil, errors.New("baseURL is the address of a deployment: leave out the version at its end")
	}
	if apiKey == "" {
		return nil, errors.New("apiKey is missing: give a team's key, rap_…")
	}
	if options.HTTP == nil {
		options.HTTP = &http.Client{Timeout: time.Minute}
	}
	if options.Retries == 0 {
		options.Retries = 2
	}
	doer := &retrier{http: options.HTTP, key: apiKey, retries: max(options.Retries, 0)}
	operations, err := api.NewClientWithResponses(address, api.WithHTTPClient(doer))
	if err != nil {
		return nil, err
	}
	client := &Client{API: operations}
	client.Bots = &Bots{api: operations}
	return client, nil
}

package rapporteur

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	randv2 "math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	longestPause    = time.Minute
	longestRefusal  = 1 << 20
	stillInProgress = "FST_ERR_IDEMPOTENCY_IN_PROGRESS"
	// Nothing was done: repeating does no harm, whatever the method.
	untouched = "FST_ERR_TOO_MANY_REQUESTS"
)

// The service's body is the same for every problem of a key; a header distinguishes them.
var keyProblems = map[string]string{
	"missing":    "The request had no API key.",
	"malformed":  "This is no API key of a Rapporteur service, or not the whole key: one begins with rap_.",
	"unknown":    "The API key does not exist in this deployment. Check the key, and the address of the deployment.",
	"revoked":    "The API key is revoked. Use another one.",
	"expired":    "The API key has expired. Use another one.",
	"permission": "The API key may only create bots (Sending Access). Use one with Full Access.",
}

// Error is every failure of a call.
type Error struct {
	// Code is the service's, or CLIENT_NETWORK, CLIENT_TIMEOUT or CLIENT_UNEXPECTED_RESPONSE.
	Code    string
	Message string
	// StatusCode is 0 without a response.
	StatusCode int
	Details    string
	// RetryAfter is the pause that the service requests; 0: none.
	RetryAfter time.Duration
	// RequestID is what to quote to the operator of the deployment.
	RequestID string
	cause     error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.cause }

// retrier adds the key, repeats requests where that is safe, and turns refusals into *Error.
type retrier struct {
	http    *http.Client
	key     string
	retries int
}

func (r *retrier) Do(request *http.Request) (*http.Response, error) {
	request.Header.Set("x-service-api-key", r.key)
	if request.Method == http.MethodPost && request.Header.Get("Idempotency-Key") == "" {
		request.Header.Set("Idempotency-Key", "go-"+rand.Text())
	}
	safe := request.Method == http.MethodGet || request.Method == http.MethodPost
	for tries := 0; ; tries++ {
		response, failure := r.once(request)
		if failure == nil {
			return response, nil
		}
		pause, again := pauseAfter(failure, tries, safe)
		if !again || tries >= r.retries {
			return nil, failure
		}
		if err := wait(request.Context(), pause); err != nil {
			return nil, failure
		}
		if request.GetBody != nil {
			body, err := request.GetBody()
			if err != nil {
				return nil, failure
			}
			request.Body = body
		}
	}
}

func (r *retrier) once(request *http.Request) (*http.Response, *Error) {
	response, err := r.http.Do(request)
	if err != nil {
		var timeout interface{ Timeout() bool }
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil, &Error{Code: "CLIENT_TIMEOUT", Message: "The service did not respond in time.", cause: err}
		}
		return nil, &Error{Code: "CLIENT_NETWORK", Message: "The service could not be reached. Check the address and the network.", cause: err}
	}
	if response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusalOf(response)
}

func refusalOf(response *http.Response) *Error {
	var body struct {
		Code    string  `json:"code"`
		Message string  `json:"message"`
		Details *string `json:"details"`
	}
	content, _ := io.ReadAll(io.LimitReader(response.Body, longestRefusal))
	failure := &Error{StatusCode: response.StatusCode, RequestID: response.Header.Get("x-request-id")}
	if json.Unmarshal(content, &body) != nil || body.Code == "" {
		failure.Code = "CLIENT_UNEXPECTED_RESPONSE"
		failure.Message = "The response (status " + strconv.Itoa(response.StatusCode) + ") is none of a Rapporteur service. Check the address."
		return failure
	}
	failure.Code, failure.Message = body.Code, body.Message
	if problem, found := keyProblems[response.Header.Get("x-service-key-problem")]; found {
		failure.Message = problem
	}
	if body.Details != nil {
		failure.Details = *body.Details
	}
	if seconds, err := strconv.Atoi(response.Header.Get("retry-after")); err == nil && seconds > 0 {
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failure
}

// pauseAfter is the pause before the next attempt, and whether there is one.
func pauseAfter(failure *Error, tries int, safe bool) (time.Duration, bool) {
	passes := failure.Code == "CLIENT_NETWORK" || failure.Code == stillInProgress ||
		(failure.StatusCode >= http.StatusBadGateway && failure.StatusCode <= http.StatusGatewayTimeout)
	if failure.RetryAfter > longestPause || (failure.Code != untouched && !(safe && passes)) {
		return 0, false
	}
	backoff := time.Duration(float64(250*time.Millisecond<<tries) * (0.5 + randv2.Float64()/2))
	return max(failure.RetryAfter, backoff), true
}

func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

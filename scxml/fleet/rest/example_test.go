package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// A program serves its own fleet. A client that sends an event again has the same answer.
func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="shut"><transition event="open" target="wide"/></state><state id="wide"/></scxml>`))
	if err != nil {
		panic(err)
	}
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{}, fleet.Define("door", chart))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go f.Run(ctx)
	const secret = "0123456789abcdefghij"
	server := httptest.NewServer(rest.New(rest.Config{
		Fleet:  f,
		Tokens: []rest.Token{rest.NewToken("app", secret, rest.Read|rest.Send)},
	}))
	defer server.Close()

	post := func(path, body string) {
		req, err := http.NewRequest("POST", server.URL+path, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "first")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			panic(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			panic(err)
		}
		if strings.HasSuffix(path, "events") {
			fmt.Println(resp.StatusCode, string(text))
		}
	}
	post("/v1/sessions", `{"key":"front","chart":"door"}`)
	post("/v1/sessions/front/events", `{"name":"open"}`)
	post("/v1/sessions/front/events", `{"name":"open"}`)
	// Output:
	// 202 {"position":1,"duplicate":false}
	// 202 {"position":1,"duplicate":true}
}

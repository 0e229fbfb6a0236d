package inspect_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(`
		<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<state id="closed"><transition event="push" target="open"/></state>
			<state id="open"/>
		</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart})
	if err != nil {
		log.Fatal(err)
	}
	session, err := scxml.New(chart, h.Option())
	if err != nil {
		log.Fatal(err)
	}

	in := inspect.New(inspect.Config{Token: "secret"}) // without it, a random one
	in.Add(inspect.Session{Name: "front door", History: h})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go in.Serve(ctx, l) // it ends with ctx
	base := "http://" + l.Addr().String() + "/"
	fmt.Println("open", strings.Replace(in.URL(base), l.Addr().String(), "127.0.0.1:PORT", 1))

	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}

	// The page is made of requests such as this one.
	req, err := http.NewRequestWithContext(ctx, "GET", base+"api/sessions/1/positions/last", nil)
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer secret")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(string(text), `"configuration":["closed"]`))
	// Output:
	// open http://127.0.0.1:PORT/#token=secret
	// true
}

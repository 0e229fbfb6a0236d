// Package inspect shows running sessions on a page in the browser. An [Inspector] is an
// [http.Handler] for programs that embed charts:
//
//	h, err := history.New(history.Config{Chart: chart, Options: options})
//	…
//	session, err := scxml.New(chart, append(options, h.Option())...)
//	…
//	in := inspect.New(inspect.Config{})
//	in.Add(inspect.Session{Name: "door", History: h})
//	l, err := net.Listen("tcp", "127.0.0.1:0")
//	…
//	fmt.Println(in.URL("http://" + l.Addr().String() + "/"))
//	go in.Serve(ctx, l)
//	err = session.Run(ctx)
//
// The page has the picture of the chart with its active states, a log with cause and effect, data and
// what has changed, queues, delayed events, forms for the events that can be sent, and a slider that
// goes back to any position. A branch continues from there, on a copy that sends nothing out.
//
// # What a session pays
//
// A session pays for its history, see package history, and for nothing else: however many pages are
// open, none of them asks the session anything, and no session waits for a page. Pages look at the
// history some 30 times a second and show what is newest. What they skip they fetch when someone
// looks for it. Functions that [scxml.WithFunc] gives to a chart are called again for copies: see
// package history.
//
// # Who may use it
//
// A request needs one of two tokens, which the addresses of [Inspector.URL] and [Inspector.ReadURL]
// contain. The second one is for links to people who may only look. Tokens are after the "#" of an
// address, so browsers send them to no server in the address of the page. Anyone with the first token
// can make the session do what its events make it do.
//
// Only requests from this machine are served unless Remote is set in the [Config]; the inspector does
// not encrypt, so put a server with TLS before it then. Requests that pages of other web sites cause
// are refused. The page loads nothing from elsewhere, and its Content-Security-Policy lets the browser
// run no other script. Data are shown as texts.
//
// A handler below another path needs [http.StripPrefix], and a path that ends with a slash:
//
//	mux.Handle("/inspect/", http.StripPrefix("/inspect", in))
//
// PROTOCOL.md in this directory describes the requests of the page, which other programs can use too.
package inspect

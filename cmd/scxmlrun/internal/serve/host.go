package serve

import (
	"net"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// hostName returns the name of this process among those that share the store, or "" if it is the only
// one that can use it.
func (o *Options) hostName(store fleet.Store, l net.Listener) (string, error) {
	_, shared := store.(fleet.Watcher)
	switch {
	case shared && o.Host == "":
		name, err := os.Hostname()
		if err != nil {
			return "", cli.Usagef("this machine has no name (%v): want --host-id", err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String()) // a TCP address
		return name + ":" + port, nil
	case !shared && o.Host != "":
		return "", cli.Usagef("--host-id %s: the store is a folder, which one process uses; want a store on a server", o.Host)
	}
	return o.Host, nil
}

// Package servertest runs servers of NATS for tests: one node or a cluster on this machine, as
// processes that can be killed, paused and cut off from each other. It is a module of its own, so that
// the server is not a dependency of this project. Its tests are those of package jetstream.
package servertest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/killtest"
)

// Options of a cluster. The zero value is one node that syncs each write.
type Options struct {
	Nodes  int    // 0 is 1
	Lazy   bool   // sync now and then, as is the default of the server
	Config string // more lines for the configuration of each node

	Accounts string        // lines of the configuration instead of those that make User, System and Plain
	Connect  []nats.Option // what a client needs besides User, or instead of it
}

// The users of all clusters that Start makes. User may use JetStream, System may ask the servers about
// themselves, Plain may do neither.
const (
	User   = "fleet:secret"
	System = "sys:secret"
	Plain  = "plain:secret"
)

// A Cluster is some nodes.
type Cluster struct {
	Nodes  []*Node
	binary string
}

// A Node is a process with a folder. Clients and other nodes reach it through proxies.
type Node struct {
	Dir     string
	config  string
	binary  string
	connect []nats.Option
	clients *killtest.Proxy
	routes  []*killtest.Proxy // from this node to each other one, and from each other one to this
	cmd     *exec.Cmd
	exited  chan struct{}
}

var binary struct {
	sync.Once
	path string
	err  error
}

// build builds the server, once for a test process.
func build() (string, error) {
	binary.Do(func() {
		binary.path, binary.err = os.MkdirTemp("", "nats-server")
		if binary.err != nil {
			return
		}
		binary.path = filepath.Join(binary.path, "nats-server")
		out, err := exec.Command("go", "build", "-o", binary.path, "github.com/nats-io/nats-server/v2").CombinedOutput()
		if err != nil {
			binary.err = fmt.Errorf("cannot build nats-server: %w\n%s", err, out)
		}
	})
	return binary.path, binary.err
}

// Remove removes what Start has built. Call it at the end of TestMain.
func Remove() {
	if binary.path != "" {
		os.RemoveAll(filepath.Dir(binary.path))
	}
}

// Start starts a cluster, waits until JetStream is ready, and stops it at the end of the test.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	n := max(1, o.Nodes)
	ports, err := freePorts(2 * n)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{binary: path}
	for i := range n {
		clients := killtest.NewProxy(t, address(ports[2*i]))
		c.Nodes = append(c.Nodes, &Node{Dir: t.TempDir(), binary: path, connect: o.Connect, clients: clients})
	}
	accounts := cmp.Or(o.Accounts, `accounts {
  FLEET { jetstream: enabled, users: [{user: fleet, password: secret}] }
  SYS { users: [{user: sys, password: secret}] }
  PLAIN { users: [{user: plain, password: secret}] }
}
system_account: SYS`)
	sync := "always"
	if o.Lazy {
		sync = "2m"
	}
	for i, node := range c.Nodes {
		var routes []string
		for j, other := range c.Nodes {
			if i == j {
				continue
			}
			p := killtest.NewProxy(t, address(ports[2*j+1]))
			node.routes = append(node.routes, p)
			other.routes = append(other.routes, p)
			routes = append(routes, fmt.Sprintf("nats://%s", p.Address()))
		}
		config := fmt.Sprintf(`server_name: n%d
listen: 127.0.0.1:%d
client_advertise: %q
lame_duck_duration: 30s
lame_duck_grace_period: 1s
jetstream { store_dir: %q, sync_interval: %s, max_file_store: 8G, max_memory_store: 1G }
%s
%s
`, i, ports[2*i], node.clients.Address(), node.Dir, sync, accounts, o.Config)
		if n > 1 {
			// A node reaches the others through its proxies alone: nothing listens at what it advertises.
			config += fmt.Sprintf("cluster { name: test, listen: 127.0.0.1:%d, advertise: \"127.0.0.1:1\", routes: [%s], pool_size: 1 }\n",
				ports[2*i+1], strings.Join(routes, ", "))
		}
		node.config = filepath.Join(node.Dir, "nats.conf")
		if err := os.WriteFile(node.config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, node := range c.Nodes {
			node.Kill()
		}
	})
	for _, node := range c.Nodes {
		if err := node.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Wait(time.Minute); err != nil {
		t.Fatal(err)
	}
	return c
}

func address(port int) string { return fmt.Sprint("127.0.0.1:", port) }

// freePorts returns ports of this machine that are free now. They are below those that systems give to
// outgoing connections: one of these would keep a node that is down from its port.
func freePorts(n int) (ports []int, err error) {
	for tries := 0; len(ports) < n; tries++ {
		port := 10_000 + rand.IntN(20_000)
		l, err := net.Listen("tcp", address(port))
		if err != nil {
			if tries > 100 {
				return nil, err
			}
			continue
		}
		defer l.Close()
		ports = append(ports, port)
	}
	return ports, nil
}

// URL returns the address of a store in the cluster. The query has settings, such as "shards=4"; the
// number of replicas is that of the nodes unless it says otherwise.
func (c *Cluster) URL(name, query string) string {
	var hosts []string
	for _, node := range c.Nodes {
		hosts = append(hosts, node.Address())
	}
	url := fmt.Sprintf("nats://%s@%s/%s?replicas=%d", User, strings.Join(hosts, ","), name, len(c.Nodes))
	if query != "" {
		url += "&" + query
	}
	return url
}

// Wait waits until all nodes run, the cluster and each stream have elected a leader, and each replica has
// all that the leader has.
func (c *Cluster) Wait(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for _, node := range c.Nodes {
		for {
			err := node.ready()
			if err == nil {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("node %s is not ready after %v: %w", node.Dir, patience, err)
			}
			<-time.After(20 * time.Millisecond)
		}
	}
	return nil
}

// ready asks the node for the state of JetStream, which it has when there is a leader, and of the streams.
func (n *Node) ready() error {
	nc, err := nats.Connect("nats://"+User+"@"+n.Address(), append([]nats.Option{nats.NoReconnect(), nats.Timeout(time.Second)}, n.connect...)...)
	if err != nil {
		return err
	}
	defer nc.Close()
	admin, err := jetstream.New(nc, jetstream.WithDefaultTimeout(2*time.Second))
	if err != nil {
		return err
	}
	if _, err := admin.AccountInfo(context.Background()); err != nil {
		return err
	}
	streams := admin.ListStreams(context.Background())
	for info := range streams.Info() {
		if info.Config.Replicas == 1 {
			continue
		}
		if info.Cluster == nil || info.Cluster.Leader == "" || len(info.Cluster.Replicas) != info.Config.Replicas-1 {
			return fmt.Errorf("stream %s has no leader", info.Config.Name)
		}
		for _, r := range info.Cluster.Replicas {
			if !r.Current || r.Offline {
				return fmt.Errorf("stream %s is not complete on %s", info.Config.Name, r.Name)
			}
		}
	}
	return streams.Err()
}

// Address is where clients reach the node.
func (n *Node) Address() string { return n.clients.Address() }

// Start starts a node that was killed, with what is in its folder.
func (n *Node) Start() error {
	log, err := os.OpenFile(filepath.Join(n.Dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(n.binary, "-c", n.config)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan struct{})
	go func() {
		cmd.Wait()
		close(exited)
	}()
	n.cmd, n.exited = cmd, exited
	return nil
}

func (n *Node) signal(s os.Signal) {
	if n.cmd != nil {
		n.cmd.Process.Signal(s)
	}
}

// Kill ends the process at once, as kill -9 does.
func (n *Node) Kill() {
	n.signal(os.Kill)
	n.wait()
}

// Stop asks the process to end, and waits for it.
func (n *Node) Stop() {
	n.signal(os.Interrupt)
	n.wait()
}

func (n *Node) wait() {
	if n.cmd != nil {
		<-n.exited
		n.cmd = nil
	}
}

// Pause stops the process as it is, until Resume.
func (n *Node) Pause()  { n.signal(syscall.SIGSTOP) }
func (n *Node) Resume() { n.signal(syscall.SIGCONT) }

// Cut drops all connections of the node, to clients and to other nodes, and lets none be made, until
// Heal. Connections are not closed: as when a cable is cut.
func (n *Node) Cut() {
	n.clients.Cut()
	for _, p := range n.routes {
		p.Cut()
	}
}

// Heal ends Cut.
func (n *Node) Heal() {
	n.clients.Heal()
	for _, p := range n.routes {
		p.Heal()
	}
}

// Wipe removes what a node that does not run has stored.
func (n *Node) Wipe() error { return os.RemoveAll(filepath.Join(n.Dir, "jetstream")) }

// Log returns the end of what the node has logged.
func (n *Node) Log() string {
	data, _ := os.ReadFile(filepath.Join(n.Dir, "log"))
	return string(data[max(0, len(data)-4000):])
}

package jetstream

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A config is what the URL of a store says.
type config struct {
	servers   []string // without user and password
	name      string   // with which the names of the streams begin
	id        string   // random, of the store
	replicas  int      // 0 unless the URL says it
	shards    int      // 0 unless the URL says it
	unchecked bool     // trust the servers that they sync
	options   []nats.Option
}

// Defaults of a new store.
const (
	defaultReplicas = 3
	defaultShards   = 4
	maxShards       = 256
)

const example = "nats://HOST:4222,HOST:4222/NAME?replicas=3"

var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]+$`) })

// parse reads the URL of a store. Its errors do not show what may be a password.
func parse(text string) (config, error) {
	var c config
	scheme, location, _ := strings.Cut(text, "://")
	if scheme != "nats" && scheme != "tls" {
		return c, fmt.Errorf("this is not the URL of a store in NATS: want %s", example)
	}
	location, query, _ := strings.Cut(location, "?")
	authority, name, _ := strings.Cut(location, "/")
	user, hosts, ok := cutLast(authority, "@")
	if !ok {
		user, hosts = "", authority
	}
	for host := range strings.SplitSeq(hosts, ",") {
		if u, err := url.Parse(scheme + "://" + host); err != nil || u.Hostname() == "" || u.User != nil {
			return c, fmt.Errorf("the URL of the store has a host that is not one: want %s", example)
		}
		c.servers = append(c.servers, scheme+"://"+host)
	}
	if c.name = name; len(name) > 64 || !namePattern().MatchString(name) {
		return c, fmt.Errorf("%q is not a name for a store: want 1 to 64 letters, digits, - and _, as in %s", name, example)
	}
	if err := c.credentials(user); err != nil {
		return c, err
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return c, fmt.Errorf("cannot read the settings in the URL of the store: want NAME=VALUE&…")
	}
	return c, c.settings(values)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// credentials takes user and password from the URL, and what is not there from the environment.
func (c *config) credentials(userinfo string) error {
	user, password, hasPassword := strings.Cut(userinfo, ":")
	for _, s := range []*string{&user, &password} {
		var err error
		if *s, err = url.PathUnescape(*s); err != nil {
			return errors.New("user or password in the URL of the store has a % that is not followed by two digits")
		}
	}
	if user == "" {
		user = os.Getenv("NATS_USER")
	}
	if !hasPassword {
		password = os.Getenv("NATS_PASSWORD")
	}
	if user != "" {
		c.options = append(c.options, nats.UserInfo(user, password))
	}
	if token := os.Getenv("NATS_TOKEN"); token != "" && user == "" {
		c.options = append(c.options, nats.Token(token))
	}
	if file := os.Getenv("NATS_CREDS"); file != "" {
		c.options = append(c.options, nats.UserCredentials(file))
	}
	return nil
}

func (c *config) settings(values url.Values) error {
	number := func(name string, limit int) (int, error) {
		n, err := strconv.Atoi(values.Get(name))
		if err != nil || n < 1 || n > limit {
			return 0, fmt.Errorf("%s=%s in the URL of the store: want 1 to %d", name, values.Get(name), limit)
		}
		return n, nil
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var err error
		switch value := values.Get(name); name {
		case "replicas":
			c.replicas, err = number(name, 5)
		case "shards":
			c.shards, err = number(name, maxShards)
		case "sync":
			if c.unchecked = value == "unchecked"; !c.unchecked {
				err = fmt.Errorf("sync=%s in the URL of the store: want sync=unchecked, or leave it out", value)
			}
		case "creds":
			c.options = append(c.options, nats.UserCredentials(value))
		case "tls-ca":
			c.options = append(c.options, nats.RootCAs(value))
		case "tls-cert":
			c.options = append(c.options, nats.ClientCert(value, values.Get("tls-key")))
		case "tls-key":
			if !values.Has("tls-cert") {
				err = errors.New("tls-key in the URL of the store needs tls-cert")
			}
		default:
			err = fmt.Errorf("%q is not a setting of a store in NATS: want replicas, shards, sync, creds, tls-ca, tls-cert or tls-key", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// connect connects to one of the servers, and to another when that one fails.
func (c config) connect(more ...nats.Option) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("scxmlrun " + c.name),
		nats.Timeout(2 * time.Second),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.ReconnectBufSize(-1), // what is not sent at once is not sent
		nats.PingInterval(2 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	nc, err := nats.Connect(strings.Join(c.servers, ","), append(append(options, c.options...), more...)...)
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
		err = fmt.Errorf("%w: check user and password, NATS_TOKEN, or the file of creds", err)
	}
	return nc, err
}

// place names the store in messages, without credentials.
func (c config) place() string { return strings.Join(c.servers, ",") + "/" + c.name }

// Name returns the name of the store that has a URL: the URL without user, password and settings.
func Name(url string) string {
	c, err := parse(url)
	if err != nil {
		return "nats://"
	}
	return c.place()
}

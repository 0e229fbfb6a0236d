// Package servertest tests package temporal on a real server, which it runs in this process or in one that
// is killed. It is a module of its own, because the server brings several hundred others.
package servertest

import (
	"fmt"
	"os"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/common/testing/freeport"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

// namespace is the one that each server has.
const namespace = "default"

// serve starts a server on a port of this machine, which keeps its data in a SQLite file.
func serve(file string, port int) (temporal.Server, error) {
	store := &config.SQL{PluginName: sqlite.PluginName, DatabaseName: file, ConnectAttributes: map[string]string{
		"mode": "rwc", "journal_mode": "wal", "synchronous": "full",
	}}
	if _, err := os.Stat(file); err != nil {
		if err := schema.SetupSchema(store); err != nil {
			return nil, err
		}
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	cfg := &config.Config{
		Global: config.Global{Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: "127.0.0.1"}},
		Persistence: config.Persistence{
			DefaultStore: "sqlite", VisibilityStore: "sqlite", NumHistoryShards: 1,
			DataStores: map[string]config.DataStore{"sqlite": {SQL: store}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10, MasterClusterName: "active", CurrentClusterName: "active",
			ClusterInformation: map[string]cluster.ClusterInformation{"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address}},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            map[string]config.Service{},
		Archival:            config.Archival{History: config.HistoryArchival{State: "disabled"}, Visibility: config.VisibilityArchival{State: "disabled"}},
		PublicClient:        config.PublicClient{HostPort: address},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History: config.HistoryArchivalNamespaceDefaults{State: "disabled"}, Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
		}},
	}
	// Its services find each other by fixed addresses: otherwise a server that begins after a kill waits for the
	// members that were killed.
	hosts := map[primitives.ServiceName]static.Hosts{}
	for _, name := range temporal.DefaultServices {
		rpc := config.RPC{GRPCPort: freeport.MustGetFreePort(), BindOnLocalHost: true}
		if name == string(primitives.FrontendService) {
			rpc.GRPCPort = port
		}
		cfg.Services[name] = config.Service{RPC: rpc}
		hosts[primitives.ServiceName(name)] = static.SingleLocalHost(fmt.Sprintf("127.0.0.1:%d", rpc.GRPCPort))
	}
	ns, err := schema.NewNamespaceConfig("active", namespace, false, map[string]enums.IndexedValueType{
		"ScxmlChart": enums.INDEXED_VALUE_TYPE_KEYWORD, "ScxmlVersion": enums.INDEXED_VALUE_TYPE_KEYWORD,
		"ScxmlStatus": enums.INDEXED_VALUE_TYPE_KEYWORD, "ScxmlStates": enums.INDEXED_VALUE_TYPE_KEYWORD_LIST,
	})
	if err != nil {
		return nil, err
	}
	if err := schema.CreateNamespaces(store, ns); err != nil {
		return nil, err
	}
	logger := log.NewNoopLogger()
	authorizer, err := authorization.GetAuthorizerFromConfig(&cfg.Global.Authorization)
	if err != nil {
		return nil, err
	}
	mapper, err := authorization.GetClaimMapperFromConfig(&cfg.Global.Authorization, logger)
	if err != nil {
		return nil, err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(cfg), temporal.ForServices(temporal.DefaultServices), temporal.WithLogger(logger),
		temporal.WithStaticHosts(hosts),
		temporal.WithAuthorizer(authorizer),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return mapper }),
		temporal.WithDynamicConfigClient(dynamicconfig.StaticClient{
			dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): []dynamicconfig.ConstrainedValue{{Value: true}},
		}),
	)
	if err != nil {
		return nil, err
	}
	return server, server.Start()
}

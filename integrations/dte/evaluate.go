// Command evaluate runs the published evaluator of the Dynamic Traffic Engine over requests: one on each line of
// standard input, in base64. It prints a line for each: 0 if the evaluator would filter it, else 1, first as JSON text
// and then as a map. `judge.ts` compiles it inside a clone of the evaluator.
//
//	evaluate FOLDER SSP < requests
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rs/zerolog"
	"golang.a2z.com/demanddriventrafficevaluator/evaluation"
	"golang.a2z.com/demanddriventrafficevaluator/interfaces"
	"golang.a2z.com/demanddriventrafficevaluator/modelfeature"
	"golang.a2z.com/demanddriventrafficevaluator/repository"
	"golang.a2z.com/demanddriventrafficevaluator/util"
)

func main() {
	zerolog.SetGlobalLevel(zerolog.Disabled)
	folder, ssp := os.Args[1], os.Args[2]
	dao, cache := &repository.DaoFactory{}, repository.NewLocalCacheFactory()
	models := modelfeature.NewModelConfigurationHandler(modelfeature.NewConfigurationHandler[interfaces.ModelConfiguration](
		folder, ssp, dao, repository.CacheKeyModelConfigurationFileIdentifier, repository.CacheKeyModel, "model", cache))
	allocator := modelfeature.NewTrafficAllocator()
	experiments := modelfeature.NewExperimentConfigurationHandler(
		modelfeature.NewConfigurationHandler[interfaces.ExperimentConfiguration](folder, ssp, dao,
			repository.CacheKeyExperimentConfigurationFileIdentifier, repository.CacheKeyExperiment, "experiment", cache),
		allocator)
	results := modelfeature.NewModelResultHandler(ssp, folder, dao, models, cache, util.NewRealTimeProvider())
	check(load(models.Load()))
	check(load(experiments.Load()))
	check(results.Load(ssp))
	evaluator := evaluation.NewRequestEvaluator(ssp, allocator, evaluation.NewRuleBasedModelEvaluator(results), models,
		evaluation.NewConfigurableAggregator())
	fields, err := models.GetAllUniqueFeatureFields()
	check(err)

	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 || err != nil {
			return
		}
		body, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(line)))
		check(err)
		text := evaluator.Evaluate(&evaluation.BidRequestEvaluatorInput{OpenRtbRequest: string(body)})
		asMap := evaluator.Evaluate(&evaluation.BidRequestEvaluatorInput{OpenRtbRequestMap: mapOf(body, fields)})
		fmt.Fprintf(out, "%d%d\n", decision(text), decision(asMap))
	}
}

func load(_ bool, err error) error { return err }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The decision of the models, before the control group.
func decision(output *evaluation.BidRequestEvaluatorOutput) int {
	var ext struct {
		Own struct{ Decision float64 } `json:"amazontest"`
	}
	check(json.Unmarshal([]byte(output.Response.Slots[0].Ext), &ext))
	return int(ext.Own.Decision)
}

// What an exchange extracts for the evaluator: the values of each field, decoded.
func mapOf(body []byte, fields []string) map[string][]string {
	var request any
	check(json.Unmarshal(body, &request))
	// The evaluator takes an empty map for no input.
	found := map[string][]string{"$.at": {"1"}}
	for _, field := range fields {
		names := strings.FieldsFunc(strings.TrimPrefix(field, "$."), func(c rune) bool { return strings.ContainsRune(".[]", c) })
		for _, value := range valuesAt(request, names) {
			found[field] = append(found[field], value)
		}
	}
	return found
}

func valuesAt(value any, names []string) []string {
	if len(names) == 0 {
		switch value := value.(type) {
		case string:
			return []string{value}
		case nil:
			return []string{"null"}
		}
		text, err := json.Marshal(value)
		check(err)
		return []string{string(text)}
	}
	switch value := value.(type) {
	case map[string]any:
		if inner, ok := value[names[0]]; ok {
			return valuesAt(inner, names[1:])
		}
	case []any:
		if names[0] == "*" {
			var all []string
			for _, item := range value {
				all = append(all, valuesAt(item, names[1:])...)
			}
			return all
		}
		if at, err := strconv.Atoi(names[0]); err == nil && at < len(value) {
			return valuesAt(value[at], names[1:])
		}
	}
	return nil
}

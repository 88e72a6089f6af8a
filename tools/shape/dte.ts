//! The files of the Dynamic Traffic Engine (DTE, IAB Tech Lab) as its evaluators in Go and Java read them, version 2.4.
//! Writes nothing and evaluates nothing.

/** How an evaluator makes the values of a part of a tuple. */
export interface Feature {
  name: string;
  /** JSON paths in the request. */
  fields: string[];
  /** In their order. */
  transformation: Transformation[];
  mapping?: Record<string, string>;
  mappingDefaultValue?: string;
}

/** Those that both evaluators have: one that does not know a transformation filters nothing. */
export type Transformation =
  | "Exists"
  | "ConcatenateByPair"
  | "GetFirstNotEmpty"
  | "ApplyMappings"
  | "IncludeDefaultValue";

/** Requests that match a tuple are worth sending (`HighValue`) or are not (`LowValue`). */
export interface Model {
  identifier: string;
  modelType: "HighValue" | "LowValue";
  features: Feature[];
  tuples: string[];
}

/** An evaluator tries at most this many tuples for a request. */
export const MAX_KEYS = 100;

/** The value of a dimension in a tuple that any request matches. */
export const ANY = "ALL";

const EXPERIMENT = "DemandDrivenTrafficEvaluatorSoftFilter";
/** Groups of requests by the first three hex digits of an id. */
const GROUPS = 4096;

/** `configuration/model/config.json`. */
export function modelConfig(models: Model[]): object {
  const of = ({ identifier, modelType, features }: Model) => {
    const [dsp = "", name = "", version = ""] = identifier.split("_");
    return {
      ...{ identifier, dsp, name, version, modelType },
      ...{ modelFormat: "RULE_BASED", s3PathMode: "DYNAMIC", featureExtractorType: "JsonExtractor" },
      features,
    };
  };
  return {
    type: "ModelConfiguration",
    modelDefinitionByIdentifier: Object.fromEntries(models.map((model) => [model.identifier, of(model)])),
  };
}

/**
 * `configuration/experiment/config.json`: a request is filtered if all models say so. `control`: the part of the
 * requests that is never filtered, in per cent.
 */
export function experimentConfig(models: Model[], control: number): object {
  const first = Math.round((GROUPS * (100 - control)) / 100);
  const experiment = {
    ...{ name: EXPERIMENT, type: "soft-filter" },
    aggregationSchema: {
      operator: "AND",
      conditions: models.map(({ identifier }) => ({ modelIdentifier: identifier })),
    },
    treatments: [
      { treatmentCode: "T", idStart: 0, idEnd: first - 1, weight: 100 - control },
      { treatmentCode: "C", idStart: first, idEnd: GROUPS - 1, weight: control },
    ],
    ...{ startTimeUTC: 0, endTimeUTC: Date.UTC(2100, 0), allocationIdStart: 0, allocationIdEnd: GROUPS - 1 },
  };
  return {
    type: "ExperimentConfiguration",
    experimentDefinitionByName: { [EXPERIMENT]: experiment },
    modelToExperiment: Object.fromEntries(models.map(({ identifier }) => [identifier, EXPERIMENT])),
  };
}

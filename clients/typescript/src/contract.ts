/** The contract's own messages and services, generated from proto/; int64 fields are `bigint` here. */
export * from "./generated/referee/v1/hand_pb.js";
export * from "./generated/referee/v1/table_pb.js";
export * from "./generated/referee/v1/judge_pb.js";
export * from "./generated/referee/v1/log_pb.js";
export * from "./generated/referee/v1/record_pb.js";
export * from "./generated/referee/v1/audit_pb.js";
export * from "./generated/referee/v1/server_pb.js";

//! Writes `sdk/src/v1.rs` from `proto/`, or says with `--check` whether it is current. No protoc binary is needed.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// The contract's one package; what it imports besides is only read for its options.
const PACKAGE_FILE: &str = "referee.v1.rs";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src/v1.rs");
    let fresh = generate(&root)?;
    if env::args().any(|argument| argument == "--check") {
        if fs::read_to_string(&written)? == fresh {
            return Ok(ExitCode::SUCCESS);
        }
        eprintln!("not current: sdk/src/v1.rs (run `make generate`)");
        return Ok(ExitCode::FAILURE);
    }
    fs::write(written, fresh)?;
    Ok(ExitCode::SUCCESS)
}

/// The code of the whole contract below a repository's root.
fn generate(root: &Path) -> Result<String, Box<dyn Error>> {
    let (contract, vendored) = (root.join("proto"), root.join("third_party/protovalidate"));
    let mut files: Vec<PathBuf> = fs::read_dir(contract.join("referee/v1"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "proto"));
    files.sort();
    let mut compiler = protox::Compiler::new([&contract, &vendored])?;
    compiler.include_source_info(true).include_imports(true).open_files(&files)?;
    let out = env::temp_dir().join(format!("referee-generate-{}", std::process::id()));
    fs::create_dir_all(&out)?;
    let made = tonic_prost_build::configure()
        .out_dir(&out)
        // The server half is for the scripted servers of the tests.
        .server_mod_attribute(".", "#[cfg(test)]")
        .generate_default_stubs(true)
        .compile_fds(compiler.file_descriptor_set())
        .and_then(|()| fs::read_to_string(out.join(PACKAGE_FILE)));
    fs::remove_dir_all(&out)?;
    Ok(made?)
}
